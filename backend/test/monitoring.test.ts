// What Prometheus reads keeps to its conventions, and the alert rules and the dashboard of `deploy/` ask for nothing that is not there.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startDeskServer } from './desk-server.ts'
import { makeConnection } from './desk-world.ts'
import { findPageFaults, findRuleFaults, isPromql, listKeptLabels } from './prometheus-form.ts'
import { waitUntil } from './until.ts'

const DEPLOY = join(import.meta.dir, '../../deploy')
const { db, url } = await startDeskServer({ METRICS_FROM: '127.0.0.1', GRAPH_APP_SECRET: 'segredo-do-aplicativo' })
await makeConnection(db, 'Loja Centro')
const readMetrics = async () => (await fetch(`${url}/metrics`)).text()
const page = await readMetrics()
const RULES = await Bun.file(join(DEPLOY, 'alerts.yml')).text()
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

test('what an alert counts the growth of is there with 0 from the start: of a series that begins at 60 no growth is known', async () => {
  const counters = new Set([...RULES.matchAll(/increase\((\w+)\[/g)].map(([, name]) => name))
  expect(counters.size).toBeGreaterThan(2)
  for (const name of counters) expect(page).toMatch(new RegExp(`^${name}(?:\\{kind="cloud_api"\\})? 0$`, 'm'))
})

test('a webhook that is not signed is counted as refused, by its kind', async () => {
  const line = await makeConnection(db, 'Oficial', 'cloud_api')
  await db.$client`update whatsapp set wanted = true where id = ${line}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=00' }
  const post = () => fetch(`${url}/webhooks/cloud/${line}`, { method: 'POST', body: '{}', headers })
  await waitUntil('somebody runs the line, and refuses it', async () => (await post()).status === 401)
  expect(await readMetrics()).toContain('balcao_webhooks_refused_total{kind="cloud_api"} 1')
})

test('the alert rules and the page of metrics have the form that Prometheus reads', async () => {
  expect(findRuleFaults(RULES)).toEqual([])
  expect(findPageFaults(await readMetrics())).toEqual([])
  // Its own tool, where it is installed, has the last word.
  const promtool = Bun.which('promtool')
  if (promtool === null) return
  const check = async (words: string[], stdin: Blob | 'ignore') => {
    const tool = Bun.spawn([promtool, 'check', ...words], { stdin, stdout: 'pipe', stderr: 'pipe' })
    const output = await Promise.all([tool.stdout, tool.stderr].map(stream => new Response(stream).text()))
    return [await tool.exited, output.join('')]
  }
  expect(await check(['rules', join(DEPLOY, 'alerts.yml')], 'ignore')).toEqual([0, expect.stringContaining('SUCCESS')])
  expect(await check(['metrics'], new Blob([await readMetrics()]))).toEqual([0, ''])
})

test.each([
  ['sum by (kind) (increase', 'sum by (kind (increase'],
  ['increase(balcao_internal_errors_total[15m])', 'increase(balcao_internal_errors_total)'],
  ['max(balcao_company_job_lag_seconds)', 'max(balcao_company_job_lag_seconds[5m])'],
  ['for: 5m', 'for: five minutes'],
  ['labels: { severity: critical }', 'label: { severity: critical }'],
  ['$labels.kind }}', '$labels.kind }'],
  ['$labels.connection }}', '$labels.queue }}'],
])('an alert rule with “%s” turned into “%s” is found', (right, wrong) => {
  expect(RULES).toContain(right)
  expect(findRuleFaults(RULES.replace(right, wrong))).toHaveLength(1)
})

test.each([
  ['a sample without its type', /^# TYPE balcao_sockets .*\n/m, ''],
  ['a value that is no number', /^balcao_sockets \d+$/m, 'balcao_sockets many'],
  ['the same twice', /^(balcao_sockets \d+)$/m, '$1\n$1'],
  ['an end without a line', /\n$/, ''],
])('a page of metrics with %s is found', (_, right, wrong) => {
  expect(page).toMatch(right)
  expect(findPageFaults(page.replace(right, wrong))).toHaveLength(1)
})

test('every expression of the alert rules and of the dashboard is PromQL, and names metrics and labels that are there', async () => {
  // What is counted by its answer stands there after the first one.
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const samples = await readMetrics()
  const dashboard = await Bun.file(join(DEPLOY, 'grafana.json')).text()
  const expressions = [...findValues(Bun.YAML.parse(RULES), 'expr'), ...findValues(JSON.parse(dashboard), 'expr')]
  expect(expressions.length).toBeGreaterThan(25)
  for (const expression of expressions) {
    expect([expression, isPromql(expression)]).toEqual([expression, true])
    for (const [name = ''] of expression.matchAll(/\b(?:balcao|process|nodejs)_\w+/g)) {
      expect([...types.keys()]).toContain(name.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, ''))
      // It is told apart by labels that it has, or nothing would be.
      const labels = samples.match(new RegExp(`^${name}\\{.*`, 'm'))?.[0] ?? ''
      for (const label of listKeptLabels(expression))
        expect([name, labels]).toEqual([name, expect.stringContaining(`${label}="`)])
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
