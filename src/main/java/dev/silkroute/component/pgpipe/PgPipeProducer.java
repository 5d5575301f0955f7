package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.Pipeline;
import dev.silkroute.postgres.pipeline.PipelineException;
import dev.silkroute.postgres.pipeline.ResultRow;
import dev.silkroute.postgres.pipeline.StatementResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;
import org.apache.camel.Expression;
import org.apache.camel.ExpressionIllegalSyntaxException;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.ObjectHelper;
import org.jspecify.annotations.Nullable;

/** Executes the statements of an exchange as one pipeline and waits for its results. */
final class PgPipeProducer extends DefaultProducer {
    /** The maximum number of compiled expressions that are kept; statements in bodies may have any number of them. */
    private static final int EXPRESSIONS = 1_000;

    private final List<NamedStatement> fixed;
    private final Map<String, Expression> expressions = new ConcurrentHashMap<>();

    PgPipeProducer(PgPipeEndpoint endpoint, List<NamedStatement> statements) {
        super(endpoint);
        fixed = statements;
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        PgPipeConfiguration options = getEndpoint().getConfiguration();
        List<NamedStatement> statements = options.isUseMessageBodyForSql() ? ofBody(exchange) : fixed;
        Pipeline pipeline = pipeline(exchange, options);
        if (options.isBatch()) {
            Iterator<?> elements =
                    ObjectHelper.createIterator(exchange.getMessage().getBody(), null);
            while (elements.hasNext()) {
                add(pipeline, statements, exchange, elements.next());
            }
        } else {
            Object body = options.isUseMessageBodyForSql()
                    ? null
                    : exchange.getMessage().getBody();
            add(pipeline, statements, exchange, body);
        }
        List<StatementResult> answers = pipeline.send();
        for (StatementResult answer : answers) {
            PipelineException failure = answer.failure();
            if (failure != null) {
                throw failure;
            }
        }
        result(exchange, options, answers, !options.isBatch() && statements.size() == 1);
    }

    private static List<NamedStatement> ofBody(Exchange exchange) {
        Object body = exchange.getMessage().getBody();
        List<NamedStatement> statements = new ArrayList<>();
        for (Object text : body instanceof Collection<?> list ? list : List.of(String.valueOf(body))) {
            statements.addAll(NamedStatement.split(String.valueOf(text)));
        }
        return statements;
    }

    private Pipeline pipeline(Exchange exchange, PgPipeConfiguration options) {
        if (!options.isTransaction()) {
            if (exchange.getMessage().getHeader(PgPipeConstants.SETTINGS) != null) {
                throw new IllegalArgumentException("settings require a transaction");
            }
            return limited(getEndpoint().pool().independent(), options);
        }
        Pipeline pipeline = limited(getEndpoint().pool().transaction(), options);
        set(pipeline, options.getSettings());
        set(pipeline, exchange.getMessage().getHeader(PgPipeConstants.SETTINGS, Map.class));
        if (options.getStatementTimeout() != null) {
            pipeline.statementTimeout(options.getStatementTimeout());
        }
        if (options.getRole() != null) {
            pipeline.role(options.getRole());
        }
        return options.isReadOnly() ? pipeline.readOnly() : pipeline;
    }

    private static Pipeline limited(Pipeline pipeline, PgPipeConfiguration options) {
        return options.getLimit() == null ? pipeline : pipeline.limit(options.getLimit());
    }

    private static void set(Pipeline pipeline, @Nullable Map<?, ?> settings) {
        if (settings != null) {
            settings.forEach((name, value) -> pipeline.set(String.valueOf(name), String.valueOf(value)));
        }
    }

    private void add(Pipeline pipeline, List<NamedStatement> statements, Exchange exchange, @Nullable Object body) {
        for (NamedStatement statement : statements) {
            List<@Nullable Object> values = new ArrayList<>();
            for (String name : statement.names()) {
                values.add(value(name, exchange, body));
            }
            pipeline.add(statement.sql(), values);
        }
    }

    /**
     * Looks up a parameter as camel-sql does: in the body if that is a map, else in the headers; or evaluates its
     * expression.
     */
    private @Nullable Object value(String name, Exchange exchange, @Nullable Object body) {
        if (name.startsWith("${")) {
            return evaluated(name, exchange, body);
        }
        if (body instanceof Map<?, ?> map && map.containsKey(name)) {
            return map.get(name);
        }
        if (exchange.getMessage().getHeaders().containsKey(name)) {
            return exchange.getMessage().getHeader(name);
        }
        throw new IllegalArgumentException("no value for parameter :#" + name
                + ": it is neither a key of the body, if that is a map, nor a header");
    }

    private @Nullable Object evaluated(String expression, Exchange exchange, @Nullable Object body) {
        Object before = exchange.getMessage().getBody();
        boolean element = getEndpoint().getConfiguration().isBatch();
        try {
            if (element) {
                exchange.getMessage().setBody(body);
            }
            return compiled(expression).evaluate(exchange, Object.class);
        } catch (ExpressionIllegalSyntaxException e) {
            throw new IllegalArgumentException("parameter :#" + expression, e);
        } finally {
            if (element) {
                exchange.getMessage().setBody(before);
            }
        }
    }

    private Expression compiled(String text) {
        Expression known = expressions.get(text);
        if (known == null) {
            known = getEndpoint().getCamelContext().resolveLanguage("simple").createExpression(text);
            known.init(getEndpoint().getCamelContext());
            if (expressions.size() < EXPRESSIONS) {
                expressions.put(text, known);
            }
        }
        return known;
    }

    private static void result(
            Exchange exchange, PgPipeConfiguration options, List<StatementResult> answers, boolean single)
            throws PipelineException {
        long selected = 0;
        long updated = 0;
        boolean rows = false;
        List<@Nullable Object> results = new ArrayList<>();
        for (StatementResult answer : answers) {
            if (answer.columns().isEmpty()) {
                updated += answer.changed();
                results.add(answer.changed());
            } else {
                rows = true;
                selected += answer.rows().size();
                results.add(output(options.getOutputType(), answer));
            }
        }
        exchange.getMessage().setHeader(PgPipeConstants.ROW_COUNT, selected);
        exchange.getMessage().setHeader(PgPipeConstants.UPDATE_COUNT, updated);
        if (!rows) {
            return; // the body is unchanged, as with camel-sql
        }
        Object result = single ? results.getFirst() : results;
        if (options.getOutputHeader() == null) {
            exchange.getMessage().setBody(result);
        } else {
            exchange.getMessage().setHeader(options.getOutputHeader(), result);
        }
    }

    private static @Nullable Object output(OutputType type, StatementResult answer) throws PipelineException {
        if (type == OutputType.SelectList) {
            List<Map<String, @Nullable Object>> list = new ArrayList<>();
            for (ResultRow row : answer.rows()) {
                list.add(row.map());
            }
            return list;
        }
        if (answer.rows().isEmpty()) {
            return null;
        }
        ResultRow row = answer.row();
        return answer.columns().size() == 1 ? row.value(0) : row.map();
    }

    @Override
    public PgPipeEndpoint getEndpoint() {
        return (PgPipeEndpoint) super.getEndpoint();
    }
}
