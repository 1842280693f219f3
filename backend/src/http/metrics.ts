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

/** What is read when it is asked for: a gauge for each name, a value for each row. While there is no answer there are none. */
export function addGauges<Name extends string, Label extends string = never>(
  registry: Registry,
  help: Readonly<Record<Name, string>>,
  labels: readonly Label[],
  read: () => Promise<
    readonly (Readonly<Record<NoInfer<Name>, number>> & Readonly<Record<NoInfer<Label>, string | number>>)[]
  >,
): void {
  let reading: ReturnType<typeof read> | undefined
  /** All of them are asked for at once: one statement answers them. */
  function rows() {
    reading ??= read()
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  for (const name in help)
    new Gauge({
      name: `balcao_${name}`,
      help: help[name],
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const found = await rows()
        this.reset()
        // A reset leaves a gauge without labels at 0, which would be a figure.
        if (labels.length === 0) this.remove()
        for (const row of found) this.labels(...labels.map(label => String(row[label]))).set(row[name])
      },
    })
}
