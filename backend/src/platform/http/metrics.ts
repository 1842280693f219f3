// Figures for Prometheus at /metrics.
import { KINDS, type Kind } from '@balcao/contract'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly request: (route: string, status: number, seconds: number) => void
  readonly sockets: Gauge
  readonly failures: Counter
  readonly received: Counter<'kind'>
  readonly sent: Counter<'kind'>
  readonly notSent: (kind: Kind, code: string) => void
  readonly restarts: Counter<'kind'>
  readonly refusedWebhooks: Counter<'kind'>
}

let processRegistry: Registry | undefined

/** Memory, time and event loop of the process; to begin with them costs a collection of its garbage. */
function getProcessRegistry(): Registry {
  if (processRegistry) return processRegistry
  processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  // Gauges whose names say that they are counters.
  for (const name of ['resources', 'handles', 'requests'])
    processRegistry.removeSingleMetric(`nodejs_active_${name}_total`)
  return processRegistry
}

/** A register of its own for each server, so that several may live in one process (tests). */
export function createMetrics(): Metrics {
  const registry = Registry.merge([getProcessRegistry()])
  const registers = [registry]
  const requests = new Histogram({
    name: 'balcao_http_request_duration_seconds',
    help: 'Requests by call and status',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const count = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `balcao_${name}_total`, help, labelNames, registers })
  /** Begins at 0 for each kind: of a series that begins at 1 no rate is known. */
  const countByKind = (name: string, help: string) => {
    const counter = count(name, help, ['kind'])
    for (const kind of KINDS) counter.inc({ kind }, 0)
    return counter
  }
  const failed = countByKind('messages_failed', 'Messages that failed for good in this process')
  const failedByCode = count('messages_failed_by_code', "Messages that failed for good, by the provider's code", [
    'kind',
    'code',
  ])
  return {
    registry,
    request: (route, status, seconds) => requests.labels(route, String(status)).observe(seconds),
    sockets: new Gauge({ name: 'balcao_sockets', help: 'Open live connections', registers }),
    failures: count('internal_errors', 'Answers with ERR_INTERNAL', []),
    received: countByKind('messages_received', 'Messages taken in by this process'),
    sent: countByKind('messages_sent', 'Messages that a provider took from this process'),
    notSent(kind, code) {
      failed.inc({ kind })
      failedByCode.inc({ kind, code })
    },
    restarts: countByKind('connection_restarts', 'Connections that this process took over or began anew'),
    refusedWebhooks: countByKind('webhooks_refused', 'Webhooks without a good signature'),
  }
}

/**
 * What is read from the database when it is asked for: a gauge `balcao_company_…` for each name, a value for each row. Every process says
 * the same, so they are compared with max(), never summed. While there is no answer there are none.
 */
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
      name: `balcao_company_${name}`,
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
