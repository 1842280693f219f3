// The description of the API, made from the contract: nothing in it is written by hand.
import { API_SCOPES, type Endpoint, ERRORS, type ErrorCode, endpoints } from '@balcao/contract'
import { CALL_EXAMPLES, type CallExample, PROGRAM_CALLS } from '@balcao/contract/api/examples'
import Type from 'typebox'

/** The OpenAPI 3.1 document of all calls, or of those that are open to programs, with an example of each. */
export function buildOpenapiDocument(version: string, readers: 'all' | 'programs' = 'all'): object {
  const paths: Record<string, Record<string, object>> = {}
  const templates = new Map<string, string>()
  for (const [key, endpoint] of Object.entries<Endpoint>(readers === 'programs' ? PROGRAM_CALLS : endpoints)) {
    const [method = '', path = ''] = key.split(' ')
    const own = path.replace(/:(\w+)/g, '{$1}')
    // Two paths that differ in the names of their parameters alone are one path: it is called as the first of them.
    const template = templates.get(toPathShape(own)) ?? own
    templates.set(toPathShape(own), template)
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: operation(method, template, own, endpoint, CALL_EXAMPLES[key] ?? {}, readers),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: readers === 'all' ? 'Balcão' : 'Balcão for programs', version, license: LICENSE },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        ...(readers === 'all' ? { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } : {}),
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: `made by an administrator under Integrações, shown once; what each call needs of it: ${API_SCOPES.join(', ')}`,
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: {
            error: { type: 'string', enum: Object.keys(ERRORS) },
            message: { type: 'string' },
            details: {},
          },
        },
      },
    },
  }
}

const LICENSE = { name: 'MIT', identifier: 'MIT' }

function operation(
  method: string,
  template: string,
  own: string,
  endpoint: Endpoint,
  example: CallExample,
  readers: 'all' | 'programs',
): object {
  const status = String(endpoint.status ?? 200)
  return {
    operationId: toOperationId(method, own),
    summary: endpoint.summary,
    description: [endpoint.description, describeScope(endpoint)].filter(Boolean).join(' '),
    tags: [own.split('/')[1] ?? ''],
    ...(endpoint.audience === 'public' ? {} : { security: listSecurity(endpoint, readers) }),
    parameters: [
      ...pathParameters(template, own, example),
      ...queryParameters(endpoint, example),
      ...headerParameters(endpoint),
    ],
    ...(endpoint.body || endpoint.bodyKind
      ? { requestBody: { required: isBodyRequired(method, endpoint), content: bodyContent(endpoint, example) } }
      : {}),
    responses: {
      [status]: {
        description: 'Success',
        ...(endpoint.answer ? { content: { 'application/json': { schema: endpoint.answer } } } : {}),
        ...(endpoint.streams ? { content: { 'text/plain': { schema: { type: 'string' } } } } : {}),
        ...(endpoint.isFile ? { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } : {}),
      },
      ...(endpoint.look
        ? { 200: { description: 'Looked at', content: { 'application/json': { schema: endpoint.look } } } }
        : {}),
      ...refusals(endpoint),
      default: {
        description: 'Any other refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** `getTicketsById` and so on: how generated clients call it. */
function toOperationId(method: string, own: string): string {
  const words = own.replace(/\{(\w+)\}/g, 'by-$1').split(/[^A-Za-z0-9]+/)
  const joined = words.flatMap(word => (word === '' ? [] : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  return method.toLowerCase() + joined
}

function describeScope({ scope, needsPerson }: Endpoint): string {
  if (scope === undefined) return ''
  return `Programs: a token that opens \`${scope}\`${needsPerson ? ' and acts as a person' : ''}.`
}

/** OpenAPI 3.1 takes roles here for any scheme: what a token has to open. */
function listSecurity({ audience, scope }: Endpoint, readers: 'all' | 'programs'): object[] {
  const program = scope === undefined ? [] : [{ apiToken: [scope] }]
  return audience === 'token' || readers === 'programs' ? program : [{ session: [] }, ...program]
}

function headerParameters({ headers }: Endpoint): object[] {
  return Object.entries(headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
}

function pathParameters(template: string, own: string, example: CallExample): object[] {
  const ownNames = listPathParameters(own)
  return listPathParameters(template).map((name, at) => ({
    name,
    in: 'path',
    required: true,
    ...(ownNames[at] === name ? {} : { description: `here: ${ownNames[at]}` }),
    schema: { type: 'string' },
    ...(example.path ? { example: String(example.path[ownNames[at] ?? '']) } : {}),
  }))
}

function listPathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
}

function toPathShape(template: string): string {
  return template.replace(/\{\w+\}/g, '{}')
}

/** The refusals of a call by their status. */
function refusals(endpoint: Endpoint): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of listEndpointErrors(endpoint))
    byStatus.set(ERRORS[code], [...(byStatus.get(ERRORS[code]) ?? []), code])
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), describeRefusal(codes)]))
}

function describeRefusal(codes: readonly ErrorCode[]): object {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { error: { enum: codes } } }],
  }
  return { description: codes.join(', '), content: { 'application/json': { schema } } }
}

/** Every code a call may be refused with: those of its audience, those of its input, its own. */
export function listEndpointErrors(endpoint: Endpoint): ErrorCode[] {
  const { audience, beforePasswordChange, scope, query, body, bodyKind, errors = [] } = endpoint
  const codes: ErrorCode[] = []
  if (audience === 'token') codes.push('ERR_SESSION_EXPIRED', 'ERR_SYSTEM_BLOCKED')
  if (audience === undefined || audience === 'admin')
    codes.push(
      'ERR_SESSION_EXPIRED',
      'ERR_USER_NO_ACTIVE',
      'ERR_INVALID_WORKING_TIME',
      'ERR_TOKEN_EXPIRED',
      'ERR_NO_PERMISSION',
      'ERR_SYSTEM_BLOCKED',
      ...(beforePasswordChange ? [] : (['ERR_PASSWORD_CHANGE_REQUIRED'] as const)),
    )
  if (scope !== undefined) codes.push('ERR_NO_PERMISSION', 'ERR_TOO_MANY_ATTEMPTS')
  if (body || bodyKind) codes.push('ERR_BAD_REQUEST', 'ERR_BODY_TOO_LARGE')
  if (query || body || bodyKind) codes.push('ERR_VALIDATION')
  return [...new Set([...codes, ...errors])]
}

function queryParameters({ query }: Endpoint, example: CallExample): object[] {
  if (!query || !('properties' in query) || query.properties === null || typeof query.properties !== 'object') return []
  const required = 'required' in query && Array.isArray(query.required) ? query.required : []
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(example.query?.[name] === undefined ? {} : { example: example.query[name] }),
  }))
}

function isBodyRequired(method: string, { body }: Endpoint): boolean {
  return method !== 'DELETE' && (body === undefined || !Type.IsOptional(body))
}

function bodyContent({ body, bodyKind, form }: Endpoint, { body: example, text }: CallExample): object {
  const shown = example === undefined ? {} : { example }
  return {
    ...(body ? { 'application/json': { schema: body, ...shown } } : {}),
    ...(bodyKind === 'multipart'
      ? { 'multipart/form-data': { schema: form ?? { type: 'object' }, ...(body ? {} : shown) } }
      : {}),
    ...(bodyKind === 'raw'
      ? {
          'application/octet-stream': {
            schema: { type: 'string', contentMediaType: 'application/octet-stream' },
            ...(text === undefined ? {} : { example: text }),
          },
        }
      : {}),
  }
}
