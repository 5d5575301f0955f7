package dev.silkroute.component.pgpipe;

import dev.silkroute.postgres.pipeline.PipelinePool;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.apache.camel.spi.UriPath;
import org.jspecify.annotations.Nullable;

/** The options of a {@code pgpipe:} endpoint. */
@UriParams
@Configurer
public class PgPipeConfiguration {
    @UriPath(
            description =
                    "The statements, separated by semicolons, with parameters such as :#name and :#${body.id}; or the"
                            + " resource that contains them, such as classpath:FILE or file:FILE")
    @Metadata(required = true)
    private String statements = "";

    @UriParam(description = "The pool of connections. The default is the component's.")
    private @Nullable PipelinePool pool;

    @UriParam(
            defaultValue = "true",
            description =
                    "Whether all statements are one transaction. Otherwise each of them succeeds or fails by itself,"
                            + " all are executed, and the exchange fails if one did.")
    private boolean transaction = true;

    @UriParam(description = "Whether the statements are executed for each element of the body")
    private boolean batch;

    @UriParam(
            description =
                    "Whether the body contains the statements, as a string or a list of strings. Their parameters are"
                            + " the headers; the path is only a name.")
    private boolean useMessageBodyForSql;

    @UriParam(
            defaultValue = "SelectList",
            description =
                    "The form of a result: SelectList is a list of maps, SelectOne the only row as a map, or its value"
                            + " if it has one column")
    private OutputType outputType = OutputType.SelectList;

    @UriParam(description = "The header that the result is put into. The default is the body.")
    private @Nullable String outputHeader;

    @UriParam(description = "The role for the transaction, as by SET LOCAL ROLE")
    private @Nullable String role;

    @UriParam(
            description = "Settings for the transaction, as by SET LOCAL",
            prefix = "setting.",
            multiValue = true,
            javaType = "java.util.Map<String, Object>")
    private @Nullable Map<String, Object> settings;

    @UriParam(description = "How long a statement may take in PostgreSQL. The default is the server's.")
    private @Nullable Duration statementTimeout;

    @UriParam(
            description =
                    "How long all statements together may take before they are canceled. The default is the pool's.")
    private @Nullable Duration limit;

    @UriParam(description = "Whether the transaction is read-only and sees a single snapshot")
    private boolean readOnly;

    public String getStatements() {
        return statements;
    }

    public void setStatements(String statements) {
        this.statements = statements;
    }

    public @Nullable PipelinePool getPool() {
        return pool;
    }

    public void setPool(@Nullable PipelinePool pool) {
        this.pool = pool;
    }

    public boolean isTransaction() {
        return transaction;
    }

    public void setTransaction(boolean transaction) {
        this.transaction = transaction;
    }

    public boolean isBatch() {
        return batch;
    }

    public void setBatch(boolean batch) {
        this.batch = batch;
    }

    public boolean isUseMessageBodyForSql() {
        return useMessageBodyForSql;
    }

    public void setUseMessageBodyForSql(boolean useMessageBodyForSql) {
        this.useMessageBodyForSql = useMessageBodyForSql;
    }

    public OutputType getOutputType() {
        return outputType;
    }

    public void setOutputType(OutputType outputType) {
        this.outputType = outputType;
    }

    public @Nullable String getOutputHeader() {
        return outputHeader;
    }

    public void setOutputHeader(@Nullable String outputHeader) {
        this.outputHeader = outputHeader;
    }

    public @Nullable String getRole() {
        return role;
    }

    public void setRole(@Nullable String role) {
        this.role = role;
    }

    public @Nullable Map<String, Object> getSettings() {
        return settings;
    }

    public void setSettings(@Nullable Map<String, Object> settings) {
        this.settings = settings;
    }

    public @Nullable Duration getStatementTimeout() {
        return statementTimeout;
    }

    public void setStatementTimeout(@Nullable Duration statementTimeout) {
        this.statementTimeout = statementTimeout;
    }

    public @Nullable Duration getLimit() {
        return limit;
    }

    public void setLimit(@Nullable Duration limit) {
        this.limit = limit;
    }

    public boolean isReadOnly() {
        return readOnly;
    }

    public void setReadOnly(boolean readOnly) {
        this.readOnly = readOnly;
    }
}
