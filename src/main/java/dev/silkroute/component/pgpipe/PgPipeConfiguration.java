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
                    "The statements, separated by semicolons, with parameters such as :#name and :#${body.id}; or where they are: classpath:FILE, file:FILE")
    @Metadata(required = true)
    private String statements = "";

    @UriParam(description = "The connections. Without: those of the component")
    private @Nullable PipelinePool pool;

    @UriParam(
            defaultValue = "true",
            description =
                    "All statements are one transaction. Without, each of them succeeds or fails by itself, all are executed whatever happens, and the exchange fails if one did")
    private boolean transaction = true;

    @UriParam(description = "The body is many bodies: the statements are executed for each of its elements")
    private boolean batch;

    @UriParam(
            description =
                    "The statements are the body: a text, or a list of texts. Their parameters are the headers. What stands in the path is only a name")
    private boolean useMessageBodyForSql;

    @UriParam(
            defaultValue = "SelectList",
            description = "What becomes of rows: a list of maps, or the only row (of one column its value)")
    private OutputType outputType = OutputType.SelectList;

    @UriParam(description = "The header that takes the result. Without: the body")
    private @Nullable String outputHeader;

    @UriParam(description = "The role whose rights count in the transaction, as SET LOCAL ROLE")
    private @Nullable String role;

    @UriParam(
            description = "Settings for the transaction, as SET LOCAL",
            prefix = "setting.",
            multiValue = true,
            javaType = "java.util.Map<String, Object>")
    private @Nullable Map<String, Object> settings;

    @UriParam(description = "How long PostgreSQL may take for a statement. Without: what the server says")
    private @Nullable Duration statementTimeout;

    @UriParam(description = "How long all of it may take before it is cancelled. Without: what the pool says")
    private @Nullable Duration limit;

    @UriParam(description = "The transaction sees one state of the database, and changes nothing")
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
