package dev.silkroute.perf.endtoend;

/** CPU seconds of the station's JVM, the Kafka broker, and all processes of PostgreSQL. */
record CpuTimes(double station, double kafka, double postgres) {
    CpuTimes minus(CpuTimes other) {
        return new CpuTimes(station - other.station, kafka - other.kafka, postgres - other.postgres);
    }

    CpuTimes plus(CpuTimes other) {
        return new CpuTimes(station + other.station, kafka + other.kafka, postgres + other.postgres);
    }
}
