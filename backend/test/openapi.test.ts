// The description of the API: every call of the contract with parameters, answers and refusals (spec 1 §7, §8).
import { describe, expect, test } from 'bun:test'
import { type Endpoint, ERRORS, endpoints } from '@balcao/contract'
import Schema from 'typebox/schema'
import { buildOpenapiDocument, listEndpointErrors } from '../src/platform/http/openapi.ts'
import { renderOpenapiPage } from '../src/platform/http/openapi-page.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: object
}
interface Content {
  readonly [type: string]: { readonly schema: object }
}
interface Operation {
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

// As a program reads it: what JSON cannot hold is not there.
const document: Document = JSON.parse(JSON.stringify(buildOpenapiDocument('1.2.3')))
const calls = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => {
  const [method = '', path = ''] = key.split(' ')
  return { key, endpoint, method: method.toLowerCase(), path }
})

describe('spec 1 §7: the description of the API', () => {
  test('holds every call of the contract and no other', () => {
    const described = Object.entries(document.paths).flatMap(([template, operations]) =>
      Object.keys(operations).map(method => `${method} ${shapeOf(template)}`),
    )
    expect(described.sort()).toEqual(calls.map(({ method, path }) => `${method} ${shapeOf(path)}`).sort())
  })

  for (const { key, endpoint, method, path } of calls) {
    test(`${key}: parameters, body, answer and refusals`, () => {
      const { template, operation } = find(method, path)
      const names = (place: string) => operation.parameters.filter(each => each.in === place).map(each => each.name)
      expect(names('path')).toEqual([...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []))
      expect(names('query')).toEqual(propertiesOf(endpoint.query))
      expect(operation.summary).not.toBe('')
      const content = operation.requestBody?.content ?? {}
      expect('application/json' in content).toBe(endpoint.body !== undefined)
      if (endpoint.bodyKind === 'multipart')
        expect(propertiesOf(content['multipart/form-data']?.schema)).toContain('medias')
      const { responses } = operation
      const success = responses[String(endpoint.status ?? 200)]
      expect(success?.content !== undefined).toBe(endpoint.answer !== undefined || endpoint.streams === true)
      for (const code of listEndpointErrors(endpoint))
        expect(responses[String(ERRORS[code])]?.description).toContain(code)
      for (const schema of schemasOf(operation)) expect(() => Schema.Compile({ ...schema, $defs: defs })).not.toThrow()
    })
  }

  test('no two paths are the same but for the names of their parameters', () => {
    const shapes = Object.keys(document.paths).map(shapeOf)
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    for (const [, name = ''] of references) expect(Object.keys(document.components.schemas)).toContain(name)
  })

  test('the page shows each call with what goes in, what comes out and how it is refused', () => {
    const page = renderOpenapiPage('1.2.3')
    for (const { key } of calls) expect(page).toContain(`<code>${key}</code>`)
    const ticket = page.slice(page.indexOf('<code>POST /tickets</code>')).split('</details>')[0] ?? ''
    for (const part of ['contactId: integer', 'queueId?: integer | null', 'Answer 201', '409 ERR_OTHER_OPEN_TICKET'])
      expect(ticket).toContain(part)
  })
})

const defs = document.components.schemas

function find(method: string, path: string): { template: string; operation: Operation } {
  for (const [template, operations] of Object.entries(document.paths)) {
    const operation = operations[method]
    if (operation && shapeOf(template) === shapeOf(path)) return { template, operation }
  }
  throw new Error(`${method} ${path} is not described`)
}

/** A path whose parameters have no names, written with colons or in braces. */
function shapeOf(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, '{}')
}

function propertiesOf(schema: object | undefined): string[] {
  const properties: unknown = schema && 'properties' in schema ? schema.properties : {}
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

/** The schemas of an operation, the shared ones where a schema refers to them. */
function schemasOf({ parameters, requestBody, responses }: Operation): object[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
  const inBodies = contents.flatMap(content => Object.values(content ?? {}).map(({ schema }) => schema))
  const all = [...parameters.map(({ schema }) => schema), ...inBodies]
  return all.map(schema => JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')))
}
