// Message templates of a business account, and the strict matching of a template message with the template it names.
import type { GraphMediaRef, SentTemplate } from './content.ts'
import { GraphCallError } from './errors.ts'
import type { GraphFields } from './fields.ts'

export interface TemplateComponent {
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS'
  format?: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT'
  text?: string
  buttons?: {
    type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE'
    text: string
    url?: string
    phone_number?: string
    example?: string[]
  }[]
}

export interface GraphTemplate {
  id: string
  name: string
  status: 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED'
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  language: string
  parameter_format: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
}

/** Templates every business starts with: one of each form a desk has to cope with. */
export function sampleTemplates(): GraphTemplate[] {
  return [
    createTemplate('1001', 'boas_vindas', [
      { type: 'BODY', text: 'Olá, {{1}}! Aqui é da {{2}}. Como podemos ajudar?' },
      { type: 'FOOTER', text: 'Responda SAIR para não receber mais' },
    ]),
    createTemplate('1002', 'boleto_disponivel', [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Oi, {{1}}. Seu boleto de {{2}} vence em {{3}}.' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Ver boleto', url: 'https://exemplo.com.br/boleto/{{1}}' },
          { type: 'QUICK_REPLY', text: 'Já paguei' },
        ],
      },
    ]),
    {
      ...createTemplate('1003', 'pedido_a_caminho', [
        { type: 'HEADER', format: 'TEXT', text: 'Pedido {{pedido}}' },
        { type: 'BODY', text: '{{nome}}, seu pedido saiu para entrega e chega até {{hora}}.' },
      ]),
      parameter_format: 'NAMED',
    },
    createTemplate('1004', 'retomar_conversa', [
      { type: 'BODY', text: 'Oi! Podemos continuar a nossa conversa?' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Sim' },
          { type: 'QUICK_REPLY', text: 'Agora não' },
        ],
      },
    ]),
    {
      ...createTemplate('1005', 'promocao_de_inverno', [{ type: 'BODY', text: 'Promoção de inverno: {{1}}' }]),
      category: 'MARKETING',
      status: 'PAUSED',
    },
    { ...createTemplate('1006', 'aviso_recusado', [{ type: 'BODY', text: 'Texto recusado' }]), status: 'REJECTED' },
  ]
}

function createTemplate(id: string, name: string, components: TemplateComponent[]): GraphTemplate {
  return {
    id,
    name,
    status: 'APPROVED',
    category: 'UTILITY',
    language: 'pt_BR',
    parameter_format: 'POSITIONAL',
    components,
  }
}

/** Reads the `template` object, checks it against the account's templates and renders what the customer sees. */
export function readTemplate(field: GraphFields, templates: GraphTemplate[]): SentTemplate {
  field.only('name', 'language', 'components', 'namespace')
  const name = field.text('name', { max: 512 })
  const language = field.object('language').only('code', 'policy').text('code')
  const found = templates.find(one => one.name === name && one.language === language)
  if (!found || found.status === 'PENDING' || found.status === 'REJECTED')
    throw new GraphCallError(132001, `template name (${name}) does not exist in ${language}`)
  if (found.status === 'PAUSED') throw new GraphCallError(132015)
  if (found.status === 'DISABLED') throw new GraphCallError(132016)

  const components = field.has('components') ? field.list('components') : []
  const header = found.components.find(part => part.type === 'HEADER')
  const body = found.components.find(part => part.type === 'BODY')
  const footer = found.components.find(part => part.type === 'FOOTER')
  const buttons = found.components.find(part => part.type === 'BUTTONS')?.buttons ?? []
  const givenHeader = components.find(part => part.oneOf('type', ['header', 'body', 'button']) === 'header')
  const givenBody = components.find(part => part.text('type') === 'body')
  checkButtons(
    components.filter(part => part.text('type') === 'button'),
    buttons,
  )

  const media = header?.format && header.format !== 'TEXT' ? readHeaderMedia(givenHeader, header.format) : undefined
  const headerText = header?.text === undefined ? undefined : fill(header.text, givenHeader, found, 'header')
  return {
    type: 'template',
    name,
    language,
    text: fill(body?.text ?? '', givenBody, found, 'body'),
    buttons: buttons.map(button => button.text),
    ...(headerText === undefined ? {} : { header: headerText }),
    ...(footer?.text ? { footer: footer.text } : {}),
    ...(media ? { media } : {}),
  }
}

function fill(text: string, fields: GraphFields | undefined, found: GraphTemplate, where: string): string {
  const expected = [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1] ?? ''))]
  const parameters = fields?.has('parameters') ? fields.only('type', 'parameters').list('parameters') : []
  if (parameters.length !== expected.length)
    throw new GraphCallError(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected.length})`,
    )
  const values = new Map<string, string>()
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.text('type') !== 'text')
      throw new GraphCallError(132012, `${where}: Parameter type at ${index} is not text`)
    const key = found.parameter_format === 'NAMED' ? parameter.optionalText('parameter_name') : expected[index]
    if (key === undefined || !expected.includes(key))
      throw new GraphCallError(100, `${where}: Parameter name is missing or empty, or not in the template`)
    const value = parameter.text('text', { max: 32_768 })
    if (/[\n\t]| {5}/.test(value))
      throw new GraphCallError(
        132012,
        `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
      )
    values.set(key, value)
  }
  if (values.size !== expected.length) throw new GraphCallError(132000, `${where}: a parameter was given twice`)
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values.get(key) ?? '')
}

function readHeaderMedia(fields: GraphFields | undefined, format: 'IMAGE' | 'VIDEO' | 'DOCUMENT'): GraphMediaRef {
  const type = format === 'IMAGE' ? 'image' : format === 'VIDEO' ? 'video' : 'document'
  const [parameter] = fields?.has('parameters') ? fields.list('parameters') : []
  if (parameter?.text('type') !== type)
    throw new GraphCallError(
      132012,
      `header: Format mismatch, expected ${format}, received ${parameter?.text('type') ?? 'UNKNOWN'}`,
    )
  const media = parameter.object(type)
  const id = media.optionalText('id')
  const link = media.optionalText('link')
  const filename = media.optionalText('filename')
  if (!id === !link) throw new GraphCallError(132012, 'header: either id or link is required')
  return { type, ...(id ? { id } : {}), ...(link ? { link } : {}), ...(filename ? { filename } : {}) }
}

function checkButtons(fields: GraphFields[], buttons: NonNullable<TemplateComponent['buttons']>): void {
  for (const part of fields) {
    part.only('type', 'sub_type', 'index', 'parameters')
    const kind = part.oneOf('sub_type', ['url', 'quick_reply', 'copy_code'])
    const button = buttons[part.number('index', { min: 0, max: 9 })]
    if (button?.type.toLowerCase() !== kind)
      throw new GraphCallError(132012, `buttons: no ${kind} button at index ${part.number('index')}`)
    for (const parameter of part.list('parameters', { min: 1, max: 1 }))
      if (kind === 'url') parameter.text('text')
      else if (kind === 'copy_code') parameter.text('coupon_code', { max: 15 })
      else parameter.text('payload', { max: 128 })
  }
  const wanted = buttons.filter(button => button.url?.includes('{{')).length
  if (fields.filter(part => part.text('sub_type') === 'url').length !== wanted)
    throw new GraphCallError(132000, `buttons: expected ${wanted} url parameters`)
  const copied = buttons.filter(button => button.type === 'COPY_CODE').length
  if (fields.filter(part => part.text('sub_type') === 'copy_code').length !== copied)
    throw new GraphCallError(132000, `buttons: expected ${copied} coupon codes`)
}
