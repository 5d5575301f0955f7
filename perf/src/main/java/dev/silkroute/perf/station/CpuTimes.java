package dev.silkroute.perf.station;

/** CPU seconds of the station's JVM, the Kafka broker, and all processes of PostgreSQL. */
public record CpuTimes(double station, double kafka, double postgres) {
    public double total() {
        return station + kafka + postgres;
    }

    public CpuTimes minus(CpuTimes other) {
        return new CpuTimes(station - other.station, kafka - other.kafka, postgres - other.postgres);
    }

    public CpuTimes plus(CpuTimes other) {
        return new CpuTimes(station + other.station, kafka + other.kafka, postgres + other.postgres);
    }
}
