// Figures for Prometheus at /metrics.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly request: (route: string, status: number, seconds: number) => void
  readonly sockets: Gauge
  readonly failures: Counter
}

/** A register of its own for each server, so that several may live in one process (tests). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'balcao_' })
  const registers = [registry]
  const requests = new Histogram({
    name: 'balcao_http_request_seconds',
    help: 'Requests by call and status',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  return {
    registry,
    request: (route, status, seconds) => requests.labels(route, String(status)).observe(seconds),
    sockets: new Gauge({ name: 'balcao_sockets', help: 'Open live connections', registers }),
    failures: new Counter({ name: 'balcao_internal_errors', help: 'Answers with ERR_INTERNAL', registers }),
  }
}
