// What Prometheus reads keeps to its conventions, and the alert rules and the dashboard of `deploy/` ask for nothing that is not there.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { startDeskServer } from './desk-server.ts'
import { makeConnection } from './desk-world.ts'

const DEPLOY = join(import.meta.dir, '../../deploy')
const { db, url } = await startDeskServer({ METRICS_FROM: '127.0.0.1' })
await makeConnection(db, 'Loja Centro')
const page = await (await fetch(`${url}/metrics`)).text()
const types = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))

test('counters end in _total, nothing else does, and each is described', () => {
  expect(types.size).toBeGreaterThan(30)
  for (const [name, type] of types) {
    expect(`${name} ${name.endsWith('_total')}`).toBe(`${name} ${type === 'counter'}`)
    expect(page).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
})

test('processes are told by the standard names, the company under names of its own', () => {
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
    expect([...types.keys()]).toContain(name)
  const gauges = [...types].filter(([name, type]) => name.startsWith('balcao_') && type === 'gauge')
  expect(gauges.map(([name]) => name).filter(name => !name.startsWith('balcao_company_'))).toEqual(['balcao_sockets'])
})

test('every expression of the alert rules and of the dashboard is PromQL, and names metrics that are there', async () => {
  const rules = await Bun.file(join(DEPLOY, 'alerts.yml')).text()
  const dashboard = await Bun.file(join(DEPLOY, 'grafana.json')).text()
  const expressions = [...findValues(Bun.YAML.parse(rules), 'expr'), ...findValues(JSON.parse(dashboard), 'expr')]
  expect(expressions.length).toBeGreaterThan(25)
  for (const expression of expressions) {
    expect([expression, isPromql(expression)]).toEqual([expression, true])
    for (const [name = ''] of expression.matchAll(/\b(?:balcao|process|nodejs)_\w+/g)) {
      expect([...types.keys()]).toContain(name.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, ''))
      // What every process says alike must not be summed.
      if (name.startsWith('balcao_company_')) expect(expression).toMatch(/^max(?: by \([\w, ]+\) )?\(balcao_company_/)
    }
  }
})

/** The texts under a name, however deep. */
function findValues(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string' ? [inner] : findValues(inner, name),
  )
}

function isPromql(expression: string): boolean {
  let isGood = true
  parser.parse(expression).iterate({
    enter: ({ type }) => {
      if (type.isError) isGood = false
    },
  })
  return isGood
}
