// The forms that Prometheus reads, as its own tool checks them: alert rules, and the page of metrics. Each finds what is wrong.
import { parser } from '@prometheus-io/lezer-promql'

const RULE_FIELDS = ['alert', 'expr', 'for', 'keep_firing_for', 'labels', 'annotations']
const DURATION = /^(?:\d+(?:ms|[smhdwy]))+$/
/** What goes over a stretch of time; nothing else takes one. */
const OVER_TIME = ['rate', 'increase', 'delta']
const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

export function findRuleFaults(text: string): string[] {
  const file = Bun.YAML.parse(text)
  const groups = toFields(file).groups
  const faults = Object.keys(toFields(file)).flatMap(key => (key === 'groups' ? [] : [`${key} is no field`]))
  if (!Array.isArray(groups)) return [...faults, 'there are no groups']
  const names = new Set<unknown>()
  for (const group of groups.map(toFields)) {
    if (typeof group.name !== 'string' || names.has(group.name)) faults.push(`a group is called ${group.name}`)
    names.add(group.name)
    for (const rule of Array.isArray(group.rules) ? group.rules.map(toFields) : [])
      faults.push(...findFaultsOfRule(rule).map(fault => `${rule.alert}: ${fault}`))
  }
  return faults
}

function findFaultsOfRule(rule: Fields): string[] {
  const { alert, expr } = rule
  const faults = Object.keys(rule).flatMap(key => (RULE_FIELDS.includes(key) ? [] : [`${key} is no field`]))
  if (typeof alert !== 'string' || alert === '') faults.push('it has no name')
  if (typeof expr !== 'string' || !isPromql(expr)) return [...faults, `${expr} is no PromQL`]
  for (const field of ['for', 'keep_firing_for'])
    if (field in rule && !DURATION.test(String(rule[field]))) faults.push(`${rule[field]} is no duration`)
  const labels = listKeptLabels(expr)
  for (const value of [...Object.values(toFields(rule.labels)), ...Object.values(toFields(rule.annotations))]) {
    if (typeof value !== 'string') faults.push(`${value} is no text`)
    const left = String(value).replaceAll(/\{\{ \$(?:value|labels\.(\w+)) \}\}/g, (whole, label?: string) =>
      label === undefined || labels.includes(label) ? '' : whole,
    )
    if (/[{}]{2}/.test(left)) faults.push(`“${value}” says what is not known`)
  }
  return faults
}

/** Whether it can be read, and a stretch of time stands just where one is taken. */
export function isPromql(expression: string): boolean {
  let isGood = expression.trim() !== ''
  const ranges: number[] = []
  parser.parse(expression).iterate({
    enter: ({ type, from }) => {
      if (type.isError) isGood = false
      if (type.name === 'MatrixSelector') ranges.push(from)
    },
  })
  const taken = [...expression.matchAll(new RegExp(`\\b(?:${OVER_TIME.join('|')})\\(\\s*`, 'g'))]
  const places = taken.map(({ 0: begin, index }) => index + begin.length)
  return isGood && places.length === ranges.length && places.every((place, at) => place === ranges[at])
}

/** By what it is told apart. */
export function listKeptLabels(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
}

export function findPageFaults(page: string): string[] {
  const faults = page.endsWith('\n') ? [] : ['it does not end with a line']
  const described = new Set<string>()
  const types = new Map<string, string>()
  const series = new Set<string>()
  let family = ''
  for (const line of page.trimEnd().split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (\S.*)$/.exec(line) ?? []
    if (kind === 'HELP') described.add(name)
    else if (kind === 'TYPE') {
      if (types.has(name)) faults.push(`${name} comes twice`)
      if (!described.has(name)) faults.push(`${name} is not described`)
      types.set(name, rest)
      family = name
    } else if (line !== '' && !line.startsWith('# ')) {
      const [, sample = '', labels = ''] = SAMPLE.exec(line) ?? []
      const own = types.get(family) === 'histogram' ? sample.replace(/_(?:bucket|sum|count)$/, '') : sample
      if (sample === '') faults.push(`“${line}” is no sample`)
      else if (own !== family) faults.push(`${sample} stands under ${family}`)
      const key = `${sample}{${labels}}`
      if (series.has(key)) faults.push(`${key} comes twice`)
      series.add(key)
    } else if (line !== '') faults.push(`“${line}” says nothing`)
  }
  return faults
}

type Fields = Readonly<Record<string, unknown>>

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
