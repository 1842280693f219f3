// Holds what is asked and answered against the gateway's own description (`description/openapi.yaml`): calls, parameters, bodies, answers.
import { join } from 'node:path'

type Node = Record<string, unknown>

export interface Exchange {
  readonly method: string
  /** As it was asked for, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** What was sent, fields of a form included; undefined for none. */
  readonly body: unknown
  readonly form: boolean
  readonly status: number
  readonly answer: unknown
}

export interface ApiDescription {
  /** Everything that is not as described, one line each. */
  faultsOf(exchange: Exchange): string[]
}

let read: Promise<Node> | undefined

/** Reads the description once. */
export async function readDescription(): Promise<ApiDescription> {
  read ??= Bun.file(join(import.meta.dir, 'description/openapi.yaml'))
    .text()
    .then(text => toNode(Bun.YAML.parse(text)))
  const whole = await read
  return { faultsOf: exchange => listFaults(whole, exchange) }
}

function listFaults(whole: Node, exchange: Exchange): string[] {
  const { method, path, query, body, form, status, answer } = exchange
  const call = findCall(toNode(whole.paths), method, path)
  const label = `${method} ${path}`
  if (!call) return [`${label} is not described`]
  const at = (place: string, value: unknown, schema: unknown) =>
    findMismatches(whole, value, toNode(schema), `${label} ${place}`)
  const known = list(call.parameters).map(one => resolveSchema(whole, one))
  const unknown = [...query.keys()].filter(name => !known.some(one => one.in === 'query' && one.name === name))
  const missing = known.filter(one => one.in === 'query' && one.required === true && !query.has(String(one.name)))
  const kind = form ? 'multipart/form-data' : 'application/json'
  const wanted = toNode(toNode(toNode(toNode(call.requestBody).content)[kind]).schema)
  const answerSchema = toNode(
    toNode(toNode(toNode(toNode(call.responses)[String(status)]).content)['application/json']).schema,
  )
  return [
    ...unknown.map(name => `${label} knows no parameter ${name}`),
    ...missing.map(one => `${label} lacks ${String(one.name)}`),
    ...(body === undefined
      ? []
      : Object.keys(wanted).length > 0
        ? at('body', body, wanted)
        : [`${label} takes no ${kind}`]),
    ...(Object.keys(answerSchema).length > 0
      ? at(`answer ${status}`, answer, answerSchema)
      : validateAnswer(call, status, label)),
  ]
}

function validateAnswer(call: Node, status: number, label: string): string[] {
  // Signing in and what is too large or too often is described nowhere.
  return String(status) in toNode(call.responses) || [401, 404, 413, 429].includes(status)
    ? []
    : [`${label} is not described to answer ${status}`]
}

function findCall(paths: Node, method: string, path: string): Node | undefined {
  const segments = path.split('/')
  for (const [pattern, methods] of Object.entries(paths)) {
    const parts = pattern.split('/')
    const fits =
      parts.length === segments.length && parts.every((part, at) => /^\{.*\}$/.test(part) || part === segments[at])
    const call = toNode(methods)[method.toLowerCase()]
    if (fits && call) return toNode(call)
  }
  return undefined
}

function findMismatches(whole: Node, actual: unknown, schema: Node, place: string): string[] {
  const {
    type,
    properties,
    required,
    items,
    enum: names,
    additionalProperties,
    nullable,
    example,
  } = resolveSchema(whole, schema)
  if (actual === null) return nullable === true || example === null ? [] : [`${place} is null`]
  if (Array.isArray(names) && !names.includes(actual))
    return [`${place} is ${String(actual)}, none of ${names.join(', ')}`]
  switch (type) {
    case 'object': {
      if (typeof actual !== 'object' || Array.isArray(actual)) return [`${place} is no object`]
      const known = toNode(properties)
      const lacking = list(required).filter(name => !(String(name) in actual))
      return [
        ...lacking.map(name => `${place} lacks ${String(name)}`),
        ...Object.entries(actual).flatMap(([name, value]) => {
          if (value === undefined) return []
          if (name in known) return findMismatches(whole, value, toNode(known[name]), `${place}.${name}`)
          return additionalProperties === true ? [] : [`${place} knows no ${name}`]
        }),
      ]
    }
    case 'array':
      if (!Array.isArray(actual)) return [`${place} is no list`]
      return actual.flatMap((one, at) => findMismatches(whole, one, toNode(items), `${place}[${at}]`))
    case 'integer':
      return Number.isInteger(actual) ? [] : [`${place} is no whole number`]
    case undefined:
      return []
    default:
      return typeof actual === type ? [] : [`${place} is a ${typeof actual}, not a ${String(type)}`]
  }
}

function resolveSchema(whole: Node, value: unknown): Node {
  const { $ref } = toNode(value)
  if (typeof $ref !== 'string') return toNode(value)
  return $ref
    .slice(2)
    .split('/')
    .reduce((at, name) => toNode(at[name]), whole)
}

function toNode(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
