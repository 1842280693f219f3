// The description of the API, made from the contract: nothing in it is written by hand.
import { type Endpoint, ERRORS, type ErrorCode, endpoints } from '@balcao/contract'

/** The OpenAPI 3.1 document of all calls. */
export function buildOpenapiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const templates = new Map<string, string>()
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = key.split(' ')
    const own = path.replace(/:(\w+)/g, '{$1}')
    // Two paths that differ in the names of their parameters alone are one path: it is called as the first of them.
    const template = templates.get(toPathShape(own)) ?? own
    templates.set(toPathShape(own), template)
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(template, own, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Balcão', version },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'made by an administrator with PUT /settings/userApiToken, shown once',
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

function operation(template: string, own: string, endpoint: Endpoint): object {
  const status = String(endpoint.status ?? 200)
  return {
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [own.split('/')[1] ?? ''],
    ...(endpoint.audience === 'public' ? {} : { security: [describeSecurity(endpoint)] }),
    parameters: [...pathParameters(template, own), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(endpoint.body || endpoint.bodyKind ? { requestBody: { content: bodyContent(endpoint) } } : {}),
    responses: {
      [status]: {
        description: 'Success',
        ...(endpoint.answer ? { content: { 'application/json': { schema: endpoint.answer } } } : {}),
        ...(endpoint.streams ? { content: { 'text/plain': { schema: { type: 'string' } } } } : {}),
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

function describeSecurity({ audience }: Endpoint): object {
  return audience === 'token' ? { apiToken: [] } : { session: [] }
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

function pathParameters(template: string, own: string): object[] {
  const ownNames = listPathParameters(own)
  return listPathParameters(template).map((name, at) => ({
    name,
    in: 'path',
    required: true,
    ...(ownNames[at] === name ? {} : { description: `here: ${ownNames[at]}` }),
    schema: { type: 'string' },
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
  const { audience, beforePasswordChange, query, body, bodyKind, errors = [] } = endpoint
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
  if (body || bodyKind) codes.push('ERR_BAD_REQUEST', 'ERR_BODY_TOO_LARGE')
  if (query || body || bodyKind) codes.push('ERR_VALIDATION')
  return [...new Set([...codes, ...errors])]
}

function queryParameters({ query }: Endpoint): object[] {
  if (!query || !('properties' in query) || query.properties === null || typeof query.properties !== 'object') return []
  const required = 'required' in query && Array.isArray(query.required) ? query.required : []
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function bodyContent({ body, bodyKind, form }: Endpoint): object {
  return {
    ...(body ? { 'application/json': { schema: body } } : {}),
    ...(bodyKind === 'multipart' ? { 'multipart/form-data': { schema: form ?? { type: 'object' } } } : {}),
    ...(bodyKind === 'raw'
      ? { 'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }
      : {}),
  }
}
