// The description of the API, made from the contract: nothing in it is written by hand.
import { type Endpoint, ERRORS, endpoints } from '@balcao/contract'

/** The OpenAPI 3.1 document of all calls. */
export function openapiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = key.split(' ')
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(path, endpoint) }
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

function operation(path: string, endpoint: Endpoint): object {
  const status = String(endpoint.status ?? 200)
  return {
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [path.split('/')[1] ?? ''],
    ...(endpoint.audience === 'public' ? {} : { security: [securityOf(endpoint)] }),
    parameters: [...pathParameters(path), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(endpoint.body || endpoint.bodyKind ? { requestBody: { content: bodyContent(endpoint) } } : {}),
    responses: {
      [status]: {
        description: 'Success',
        ...(endpoint.answer ? { content: { 'application/json': { schema: endpoint.answer } } } : {}),
      },
      default: {
        description: 'Refusal',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function securityOf({ audience }: Endpoint): object {
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

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
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

/** A page to read the description with a browser; the document itself lies at /openapi.json. */
export function openapiPage(version: string): string {
  const rows = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => {
    const [method = '', path = ''] = key.split(' ')
    return `<tr><td><code>${method}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(endpoint.summary)}${endpoint.description ? `<details><summary>More</summary>${escapeHtml(endpoint.description)}</details>` : ''}</td><td>${endpoint.audience}</td></tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Balcão API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ddd;padding:.4rem .6rem;text-align:left}</style>
<h1>Balcão API ${escapeHtml(version)}</h1><p>Machine-readable: <a href="/openapi.json">/openapi.json</a></p>
<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>For</th></tr></thead><tbody>${rows.join('')}</tbody></table></html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
