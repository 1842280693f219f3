// The `interactive` object of an outgoing message: buttons, lists, links and requests.
import type { Interactive, ReplyOption } from './content.ts'
import { GraphCallError } from './errors.ts'
import type { GraphFields } from './fields.ts'

const KINDS = ['button', 'list', 'cta_url', 'location_request_message', 'flow'] as const

export function readInteractive(field: GraphFields): Interactive {
  field.only('type', 'header', 'body', 'footer', 'action')
  const kind = field.oneOf('type', KINDS)
  const action = field.object('action')
  return {
    type: 'interactive',
    kind,
    ...(field.has('header') ? { header: readHeader(field.object('header')) } : {}),
    text: field
      .object('body')
      .only('text')
      .text('text', { max: kind === 'list' ? 4096 : 1024 }),
    ...(field.has('footer') ? { footer: field.object('footer').only('text').text('text', { max: 60 }) } : {}),
    options: readOptions(kind, action),
  }
}

function readHeader(header: GraphFields): string {
  const type = header.oneOf('type', ['text', 'image', 'video', 'document'])
  if (type === 'text') return header.only('type', 'text').text('text', { max: 60 })
  const media = header.object(type)
  if (!media.has('id') && !media.has('link'))
    throw new GraphCallError(131008, `The parameter ${media.at('id')} or ${media.at('link')} is required.`)
  return `[${type}]`
}

function readOptions(kind: (typeof KINDS)[number], action: GraphFields): ReplyOption[] {
  if (kind === 'button') return readButtons(action)
  if (kind === 'list') return readRows(action)
  if (kind === 'location_request_message') {
    action.only('name').oneOf('name', ['send_location'])
    return [{ id: 'send_location', title: 'Enviar localização' }]
  }
  action.only('name', 'parameters')
  const parameters = action.object('parameters')
  if (kind === 'cta_url') {
    action.oneOf('name', ['cta_url'])
    const title = parameters.text('display_text', { max: 20 })
    return [{ id: 'cta_url', title, description: parameters.text('url') }]
  }
  action.oneOf('name', ['flow'])
  return [{ id: 'flow', title: parameters.text('flow_cta', { max: 30 }) }]
}

function readButtons(action: GraphFields): ReplyOption[] {
  const options = action
    .only('buttons')
    .list('buttons', { min: 1, max: 3 })
    .map(button => {
      button.only('type', 'reply').oneOf('type', ['reply'])
      const reply = button.object('reply').only('id', 'title')
      return { id: reply.text('id', { max: 256 }), title: reply.text('title', { max: 20 }) }
    })
  return requireDistinct(options)
}

function readRows(action: GraphFields): ReplyOption[] {
  action.only('button', 'sections').text('button', { max: 20 })
  const sections = action.list('sections', { min: 1, max: 10 })
  const options = sections.flatMap(section => {
    section.only('title', 'rows')
    if (sections.length > 1) section.text('title', { max: 24 })
    return section.list('rows', { min: 1, max: 10 }).map(row => {
      row.only('id', 'title', 'description')
      const description = row.optionalText('description', { max: 72 })
      return {
        id: row.text('id', { max: 200 }),
        title: row.text('title', { max: 24 }),
        ...(description ? { description } : {}),
      }
    })
  })
  if (options.length > 10) throw new GraphCallError(131009, 'A list message has at most 10 rows in all its sections')
  return requireDistinct(options)
}

function requireDistinct(options: ReplyOption[]): ReplyOption[] {
  if (new Set(options.map(option => option.id)).size !== options.length)
    throw new GraphCallError(131009, 'Option ids must be unique')
  return options
}
