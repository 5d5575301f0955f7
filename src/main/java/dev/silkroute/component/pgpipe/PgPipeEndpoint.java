package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.PipelinePool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.ResourceHelper;

/** Executes statements in PostgreSQL, all of an exchange in one round trip and one transaction. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "pgpipe",
        title = "PostgreSQL Pipeline",
        syntax = "pgpipe:statements",
        producerOnly = true,
        category = {Category.DATABASE},
        headersClass = PgPipeConstants.class)
public class PgPipeEndpoint extends DefaultEndpoint {
    @UriParam
    private final PgPipeConfiguration configuration;

    public PgPipeEndpoint(String uri, PgPipeComponent component, PgPipeConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public PgPipeConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() throws IOException {
        PgPipeConfiguration options = configuration;
        boolean settings =
                options.getSettings() != null && !options.getSettings().isEmpty();
        if (!options.isTransaction()
                && (settings
                        || options.getRole() != null
                        || options.getStatementTimeout() != null
                        || options.isReadOnly())) {
            throw new IllegalArgumentException("role, settings, statementTimeout and readOnly require a transaction");
        }
        return new PgPipeProducer(this, options.isUseMessageBodyForSql() ? List.of() : statements());
    }

    private List<NamedStatement> statements() throws IOException {
        String text = configuration.getStatements();
        if (ResourceHelper.hasScheme(text)) {
            try (InputStream in = ResourceHelper.resolveMandatoryResourceAsInputStream(getCamelContext(), text)) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        List<NamedStatement> statements = NamedStatement.split(text);
        if (statements.isEmpty()) {
            throw new IllegalArgumentException("there is no statement in " + getEndpointUri());
        }
        return statements;
    }

    PipelinePool pool() {
        PipelinePool own = configuration.getPool();
        return own == null ? ((PgPipeComponent) getComponent()).connections() : own;
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("pgpipe: is a producer");
    }
}
