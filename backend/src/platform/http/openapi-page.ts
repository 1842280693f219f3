// The description of the API as a page to read: each call with what goes in, what comes out and how it may be refused.
import { type Endpoint, ERRORS, endpoints } from '@balcao/contract'
import { listEndpointErrors } from './openapi.ts'

/** A page to read with a browser; the document for programs lies at /openapi.json. */
export function renderOpenapiPage(version: string): string {
  const calls = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => callText(key, endpoint))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Balcão API</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
details{border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:.5rem 0}summary{cursor:pointer}
h2{font-size:1rem;margin:1rem 0 .25rem}pre{margin:0;overflow-x:auto;white-space:pre-wrap}code,pre{font-size:13px}</style>
<h1>Balcão API ${escapeHtml(version)}</h1>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>, for programs with a token <a href="/openapi-programs.json">/openapi-programs.json</a>. A question mark behind a name: it may be left out.</p>
${calls.join('\n')}</html>`
}

function callText(key: string, endpoint: Endpoint): string {
  const { summary, description, audience, query, body, form, headers, answer, streams, look, status = 200 } = endpoint
  const refusals = listEndpointErrors(endpoint).map(code => `${ERRORS[code]} ${code}`)
  const sections = [
    section('For', audience ?? 'session'),
    section(
      'Headers',
      Object.entries(headers ?? {}).map(([name, means]) => `${name}: ${means}`),
    ),
    section(
      'Path',
      [...key.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    ),
    section('Query', query && typeText(query, 0)),
    section('Body (JSON)', body && typeText(body, 0)),
    section('Body (multipart/form-data)', form && typeText(form, 0)),
    section('Body', endpoint.bodyKind === 'raw' ? 'the file itself' : undefined),
    section(`Answer ${status}`, answer ? typeText(answer, 0) : streams ? 'plain text, as it is written' : 'nothing'),
    section('Answer 200, to a preview', look && typeText(look, 0)),
    section('Refusals', refusals),
  ]
  return `<details><summary><code>${escapeHtml(key)}</code> ${escapeHtml(summary)}</summary>
${description ? `<p>${escapeHtml(description)}</p>` : ''}${sections.join('')}</details>`
}

function section(title: string, text: string | readonly string[] | undefined): string {
  if (text === undefined || text.length === 0) return ''
  return `<h2>${title}</h2><pre>${escapeHtml(typeof text === 'string' ? text : text.join('\n'))}</pre>`
}

/** A schema as TypeScript would write it, one field a line. */
function typeText(schema: unknown, depth: number): string {
  const alternatives = readList(schema, 'anyOf')
  if (alternatives.length > 0) return alternatives.map(each => typeText(each, depth)).join(' | ')
  const values = readList(schema, 'enum')
  if (values.length > 0) return values.map(value => JSON.stringify(value)).join(' | ')
  const constant = readField(schema, 'const')
  if (constant !== undefined) return JSON.stringify(constant)
  const type = readField(schema, 'type')
  if (type === 'array') return `(${typeText(readField(schema, 'items'), depth)})[]`
  if (type === 'object') return objectText(schema, depth)
  if (readField(schema, 'format') === 'binary') return 'file'
  return typeof type === 'string' ? type : 'anything'
}

function objectText(schema: unknown, depth: number): string {
  const required = readList(schema, 'required')
  const indent = '  '.repeat(depth + 1)
  const lines = Object.entries(readField(schema, 'properties') ?? {}).map(([name, field]) => {
    const means = readField(field, 'description')
    const comment = typeof means === 'string' ? `  // ${means}` : ''
    return `${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(field, depth + 1)}${comment}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

function readList(schema: unknown, name: string): readonly unknown[] {
  const list = readField(schema, name)
  return Array.isArray(list) ? list : []
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
