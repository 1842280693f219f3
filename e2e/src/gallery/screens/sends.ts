// Mass sends: in every state beside one another, one of them opened, and a new one.
import type { MassSend, MassSendDetail, SendRecipient } from '@balcao/contract'
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, makeFailedScreen, mockAnswer, showPage, waitForDialog } from '../steps.ts'

const LIST = /\/envioMassa\/?(\?|$)/
const ONE = /\/envioMassa\/\d+$/
const RECIPIENTS = /\/envioMassa\/\d+\/recipients/

const toInstant = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const MARINA = { id: 1, name: 'Marina Souza', profilePicUrl: null }
const RAFAEL = { id: 2, name: 'Rafael Costa', profilePicUrl: null }

function makeMassSend(part: Partial<MassSend> & Pick<MassSend, 'id' | 'mensagem'>): MassSend {
  return {
    ...{ state: 'done', stateReason: null, stateAt: toInstant(-20), stateUser: null, enviados: 0, falhas: 0, total: 0 },
    ...{ allContacts: false, contactsIds: '', tagsIds: '4', onlyWorkingHours: true, onlyWhoWrote: false },
    ...{ whatsappId: 1, whatsapp: { id: 1, name: 'Loja Centro' }, template: null },
    ...{ mediaUrl: null, mediaType: null, mediaName: null, agendamentoId: null, resumesAt: null, endsAt: null },
    ...{ userId: 1, user: MARINA, createdAt: toInstant(-24), endedAt: null, version: 1, ...part },
  }
}

const SENDS: readonly MassSend[] = [
  makeMassSend({
    ...{ id: 9, mensagem: '{{ms}}, {{name}}! Chegou a farinha especial 25 kg com preço de novembro.' },
    ...{ state: 'running', enviados: 640, total: 1712, endsAt: toInstant(20), createdAt: toInstant(-3) },
  }),
  makeMassSend({
    ...{ id: 8, mensagem: 'Tabela de dezembro já está no ar. Quer receber?', state: 'calculating', user: RAFAEL },
    createdAt: toInstant(-0.1),
  }),
  makeMassSend({
    ...{ id: 7, mensagem: '{{ms}}, {{name}}! Na quinta não tem entrega por causa do feriado.', user: RAFAEL },
    ...{ state: 'stopped', stateReason: 'failures', enviados: 341, falhas: 23, total: 560, stateAt: toInstant(-2) },
  }),
  makeMassSend({
    ...{ id: 6, mensagem: 'Semana da pizza: muçarela com 8 % de desconto', state: 'paused', stateUser: MARINA },
    ...{ enviados: 212, total: 940, createdAt: toInstant(-70) },
  }),
  makeMassSend({
    ...{ id: 5, mensagem: 'Mudamos o horário de sábado: das 8h às 14h', allContacts: true, endedAt: toInstant(-480) },
    ...{ enviados: 1284, falhas: 86, total: 1284, createdAt: toInstant(-486) },
  }),
  makeMassSend({
    ...{ id: 4, mensagem: 'Novo boleto pelo aplicativo do banco', state: 'cancelled', stateUser: RAFAEL, user: RAFAEL },
    ...{ enviados: 88, total: 430, createdAt: toInstant(-580) },
  }),
  makeMassSend({
    ...{
      id: 3,
      mensagem: 'Pedidos até as 16h entram no caminhão de amanhã',
      state: 'waiting',
      enviados: 50,
      total: 300,
    },
    ...{ stateReason: 'warm_up', resumesAt: toInstant(14), createdAt: toInstant(-600) },
  }),
]

const NAMES = ['Sorveteria Polar', 'Restaurante Varandão', 'Padoca da Vila', 'Bar da Praça', 'Casa de Massas Lia']
const STATES = ['failed', 'read', 'delivered', 'unknown', 'read', 'excluded', 'sent', 'waiting'] as const

const ROWS: readonly SendRecipient[] = STATES.map((state, index) => ({
  id: 100 - index,
  contact: { id: index + 1, name: NAMES[index] ?? `Mercado ${index}`, number: '5531998760000', profilePicUrl: null },
  ...{ state, messageId: null, ticketId: null, at: toInstant(-2 - index / 200) },
  reason: state === 'failed' ? 'ERR_WAPP_INVALID_CONTACT' : state === 'excluded' ? 'opted_out' : null,
}))

async function inventSends(stage: ScreenContext): Promise<void> {
  const counts = { all: SENDS.length, active: 3, stopped: 2, ended: 2 }
  await mockAnswer(stage, LIST, () => ({
    envios: SENDS,
    counts,
    count: SENDS.length,
    hasMore: false,
    nextCursor: null,
  }))
  await stage.page.route(ONE, route => {
    if (route.request().resourceType() === 'document') return route.fallback()
    return route.fulfill({ json: findDetail(Number(/\d+$/.exec(route.request().url())?.[0])) })
  })
  await stage.page.route(RECIPIENTS, route =>
    route.fulfill({ json: { recipients: ROWS, count: ROWS.length, hasMore: false, nextCursor: null } }),
  )
}

function findDetail(id: number): MassSendDetail {
  const send = SENDS.find(one => one.id === id) ?? makeMassSend({ id, mensagem: 'Oi' })
  const failed = new Set([4, 17, 28, 35, 41, 46])
  return {
    ...send,
    contacts: [],
    tags: [{ id: 4, name: 'Recorrente', color: '#1f8fb5' }],
    counts: {
      ...{ waiting: 219, sending: 0, sent: 20, delivered: 94, read: 204 },
      ...{ failed: 23, unknown: 0, excluded: 52, cancelled: 0, optedOut: 4 },
    },
    excluded: [
      { reason: 'opted_out', count: 48 },
      { reason: 'no_number', count: 4 },
    ],
    last: Array.from({ length: 50 }, (_, index) => (failed.has(index) ? 'failed' : 'ok')),
  }
}

const PREVIEW = {
  ...{ count: 1712, found: 1764, repeated: 221, wrote: 1558, startsAt: toInstant(0), endsAt: toInstant(20) },
  excluded: [
    { reason: 'opted_out', count: 48 },
    { reason: 'no_number', count: 4 },
  ],
  risk: { level: 3, causes: [{ code: 'never_wrote', params: { count: 154, percent: 9 } }] },
  pace: { seconds: 15, perDay: 1000, warmUp: false },
}

const TEMPLATE = {
  ...{ id: '7', name: 'aviso_entrega', category: 'UTILITY', status: 'APPROVED', language: 'pt_BR' },
  parameterFormat: 'NAMED',
  components: [
    { type: 'HEADER', format: 'DOCUMENT' },
    {
      type: 'BODY',
      text: 'Olá, {{nome}}! Seu pedido {{pedido}} sai amanhã.',
      example: { body_text_named_params: [{ example: 'Lúcia' }, { example: '4812' }] },
    },
  ],
}

/** A new send with words, to all. */
async function fillNewSend(stage: ScreenContext): Promise<void> {
  await stage.open('/envios/novo')
  const { page } = stage
  await page
    .getByLabel(/^Mensagem/)
    .first()
    .fill('{{ms}}, {{name}}! Aqui é da Distribuidora São José.\nChegou a farinha especial 25 kg até sábado.')
  await page.getByRole('radio', { name: /^Todos os contatos/ }).click()
  await page.getByRole('button', { name: /^Enviar para \d/ }).waitFor()
}

export const SENDINGS: readonly Screen[] = [
  {
    name: 'sends',
    steps: async stage => {
      await inventSends(stage)
      await stage.open('/envios')
      await stage.page.getByText('Calculando...').first().waitFor()
    },
  },
  {
    name: 'send-stopped',
    steps: async stage => {
      await inventSends(stage)
      await stage.open('/envios/7')
      await stage.page.getByText('Sorveteria Polar').first().waitFor()
    },
  },
  { name: 'sends-empty', state: true, steps: showPage('/envios', 'Nenhum envio ainda') },
  makeFailedScreen('sends-failed', { calls: LIST, path: '/envios', text: 'Os envios não carregaram' }),
  {
    name: 'send-cancel',
    steps: async stage => {
      await inventSends(stage)
      await stage.open('/envios/6')
      await locateButton(stage, 'Cancelar o resto').click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'send-new',
    as: 'gerente',
    steps: async stage => {
      await fillNewSend(stage)
    },
  },
  {
    name: 'send-left-out',
    as: 'gerente',
    steps: async stage => {
      const reasons = ['opted_out', 'no_number', 'blocked', 'never_wrote', 'opted_out', 'no_whatsapp'] as const
      const contacts = ROWS.slice(0, reasons.length).map(({ contact }, at) => ({ contact, reason: reasons[at] }))
      await mockAnswer(stage, /\/envioMassa\/preview\/excluded/, () => ({
        ...{ contacts, count: contacts.length, hasMore: false, nextCursor: null },
      }))
      await mockAnswer(stage, /\/envioMassa\/preview$/, () => PREVIEW)
      await fillNewSend(stage)
      await locateButton(stage, 'Ver a lista').click()
      await waitForDialog(stage)
      await stage.page.getByText('pediu SAIR').nth(1).waitFor()
    },
  },
  {
    name: 'send-test',
    as: 'gerente',
    steps: async stage => {
      await fillNewSend(stage)
      await locateButton(stage, 'Enviar teste para mim').click()
      await waitForDialog(stage)
    },
  },
  {
    name: 'send-template',
    as: 'gerente',
    steps: async stage => {
      await mockOfficialConnection(stage)
      await mockAnswer(stage, /\/envioMassa\/preview$/, () => PREVIEW)
      await fillNewSend(stage)
      await withTemplate(stage)
    },
  },
  {
    name: 'send-new-empty',
    state: true,
    steps: async stage => {
      await stage.open('/envios/novo')
      await locateButton(stage, 'Enviar').click()
      await stage.page.getByText('Escreva a mensagem').waitFor()
    },
  },
]

/** By a connection of the official API, with one template. */
export async function mockOfficialConnection(stage: ScreenContext) {
  const official = { id: 1, name: 'Loja oficial', api: 'cloud_api', status: 'CONNECTED', isDefault: true }
  await mockAnswer(stage, /\/whatsapp\/?(\?|$)/, () => [official])
  await mockAnswer(stage, /\/meta\/templates\/wpp\//, () => ({
    ...{ templates: [TEMPLATE], hasMore: false, count: 1, reason: null },
  }))
}

export async function withTemplate({ page }: ScreenContext) {
  const field = page.locator('.b-field').filter({ hasText: 'Modelo aprovado' })
  await field.locator('.p-dropdown').click()
  await page.locator('.p-dropdown-item', { hasText: 'aviso_entrega' }).click()
  await page.getByLabel(/^Texto: pedido/).waitFor()
}
