// A client of somebody else's, written against specification 1 §7 and the description of the API alone: it seals what it signs in
// with, renews its token once on 403 ERR_TOKEN_EXPIRED, and holds every answer against what /openapi.json says of the call.
import { sealWire } from '@balcao/contract'
import Schema from 'typebox/schema'
import { type ApiAnswer, createBrowser, type SignedInPerson } from './desk-server.ts'

export interface ForeignClient {
  /** The signed-in person beneath, for what a test has to spoil. */
  readonly person: SignedInPerson
  login(email: string, password: string): Promise<ApiAnswer>
  /** Calls and gives the answer; throws when it is not as described. Parameters that are null are left out, as axios does. */
  call<T = Record<string, unknown>>(method: string, path: string, input?: Given): Promise<ApiAnswer<T>>
}

interface Given {
  readonly query?: Readonly<Record<string, string | number | boolean | null>>
  readonly body?: unknown
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}
interface Content {
  readonly 'application/json': { readonly schema: object }
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A client of the server at this address, which it reads the description of the API from. */
export async function startForeignClient(url: string, sharedSecret: string): Promise<ForeignClient> {
  const person = createBrowser(url)
  const { body: description } = await person.call<Description>('GET', '/openapi.json')
  const seal = (text: string) => sealWire(sharedSecret, text)

  async function once<T = Record<string, unknown>>(method: string, path: string, body: unknown): Promise<ApiAnswer<T>> {
    const answer = await person.call<T>(method, path, body)
    checkDescribed(description, method, path, answer)
    return answer
  }

  const client: ForeignClient = {
    person,
    async login(email, password) {
      const answer = await once('POST', '/auth/login', { email: await seal(email), password: await seal(password) })
      if (typeof answer.body.token === 'string') person.token = answer.body.token
      return answer
    },
    async call<T>(method: string, path: string, { query, body }: Given = {}) {
      const address = path + queryText(query)
      const answer = await once<T>(method, address, body)
      if (answer.status !== 403 || errorOf(answer.body) !== 'ERR_TOKEN_EXPIRED') return answer
      const renewed = await once<{ token: string }>('POST', '/auth/refresh_token', undefined)
      if (renewed.status !== 200) return answer
      person.token = renewed.body.token
      return once<T>(method, address, body)
    },
  }
  return client
}

/** Throws unless the description knows the call, its status, and this very answer. */
function checkDescribed(description: Description, method: string, address: string, answer: ApiAnswer<unknown>): void {
  const call = `${method} ${address}`
  const response = operationOf(description, method, address)?.responses[String(answer.status)]
  if (!response) throw new Error(`${call}: ${answer.status} is not described: ${JSON.stringify(answer.body)}`)
  if (answer.status >= 400) {
    const code = errorOf(answer.body)
    if (!response.description.split(', ').includes(code)) throw new Error(`${call}: ${code} is not described`)
    return
  }
  const schema = response.content?.['application/json'].schema
  if (!schema) {
    if (answer.body !== '') throw new Error(`${call}: an answer where none is described`)
    return
  }
  const [right, errors] = Schema.Errors(schema, answer.body)
  if (!right) throw new Error(`${call}: not as described: ${JSON.stringify(errors.slice(0, 3))}`)
}

/** The described call of an address: fixed words count before parameters. */
function operationOf({ paths }: Description, method: string, address: string): Operation | undefined {
  const words = wordsOf(address.split('?')[0] ?? '')
  const fitting = Object.entries(paths)
    .filter(([template, operations]) => method.toLowerCase() in operations && fits(wordsOf(template), words))
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
  return fitting[0]?.[1][method.toLowerCase()]
}

function fits(template: readonly string[], words: readonly string[]): boolean {
  return template.length === words.length && template.every((word, at) => word.startsWith('{') || word === words[at])
}

function wordsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

function queryText(query: Given['query'] = {}): string {
  const params = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return params.length === 0 ? '' : `?${new URLSearchParams(params)}`
}

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
}
