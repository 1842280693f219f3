import { beforeAll, describe, expect, test } from 'bun:test'
import {
  EXCLUSIONS,
  type Kind,
  LIVE_SEND_STATES,
  type MessageTemplate,
  RECIPIENT_STATES,
  RISK_CAUSES,
  SEND_REASONS,
} from '@balcao/contract'
import reasons from '@balcao/contract/texts/send-reasons/pt.json'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'
import {
  renderTemplateText,
  restoreTemplate,
  startTemplate,
  updateTemplate,
} from '../../ui/src/kit/forms/template-input.ts'
import pt from '../locales/sends/pt.json'
import {
  EMPTY,
  findConnection,
  hasRecipients,
  type SendFields,
  toBody,
  toFormData,
  toSendText,
  validateFields,
  withWord,
} from '../src/sends/form.ts'
import { compareNewestFirst, isSendShown, listSteps } from '../src/sends/list.ts'
import {
  describeAudience,
  describeReason,
  describeSendState,
  describeStart,
  summarizeSend,
} from '../src/sends/words.ts'
import { makeMassSend } from './send.ts'

beforeAll(() => addTexts('sends', { pt: { ...pt, ...reasons }, en: {}, es: {} }))

const NOW = new Date('2026-11-23T12:00:00.000Z')
const describeStanding = (part: Parameters<typeof makeMassSend>[0]) =>
  describeSendState(makeMassSend(part), getTexts('sends'), NOW).text

describe('spec 3 §2: the list of mass sends', () => {
  test('says whom a send is for', () => {
    const sentences = [true, false].map(allContacts =>
      describeAudience(makeMassSend({ allContacts }), getTexts('sends')),
    )
    expect(sentences).toEqual(['Todos os contatos', 'Tag/Contato'])
  })

  test('says when it ends, by the company’s clock', () => {
    expect(describeStanding({ endsAt: '2026-11-24T14:40:00.000Z' })).toBe('termina amanhã às 11:40')
    expect(describeStanding({ endsAt: '2026-11-23T14:40:00.000Z' })).toBe('termina hoje às 11:40')
    expect(describeStanding({ endsAt: '2026-12-02T14:40:00.000Z' })).toBe('termina 02/12 às 11:40')
    expect(describeStanding({ endsAt: '2027-01-02T14:40:00.000Z' })).toBe('termina 02/01/2027 às 11:40')
    expect(describeStanding({ endsAt: null })).toBe('em andamento')
  })

  test('stands newest first, by how they go on', () => {
    expect(
      [makeMassSend({ id: 1 }), makeMassSend({ id: 3 }), makeMassSend({ id: 2 })]
        .toSorted(compareNewestFirst)
        .map(({ id }) => id),
    ).toEqual([3, 2, 1])
    const shown = (show: 'active' | 'stopped' | 'ended' | null) =>
      (['calculating', 'waiting', 'running', 'paused', 'stopped', 'done', 'cancelled'] as const).filter(state =>
        isSendShown(makeMassSend({ state }), { search: '', show }),
      )
    expect(shown('active')).toEqual(['calculating', 'waiting', 'running'])
    expect(shown('stopped')).toEqual(['paused', 'stopped'])
    expect(shown('ended')).toEqual(['done', 'cancelled'])
    expect(shown(null)).toHaveLength(7)
  })

  test('a long message is named by its beginning', () => {
    expect(summarizeSend(makeMassSend({ mensagem: 'Oi\n\n tudo   bem?' }))).toBe('Oi tudo bem?')
    expect(summarizeSend(makeMassSend({ mensagem: 'x'.repeat(60) }))).toHaveLength(40)
    expect(summarizeSend(makeMassSend({ mensagem: '😀'.repeat(60) }))).toBe(`${'😀'.repeat(19)}…`)
  })
})

test('the foot of a new send says when it begins: now, later, never, or when the connection is back', () => {
  const pace = { seconds: 15, perDay: null, warmUp: false }
  const begins = (startsAt: string | null, status: 'CONNECTED' | 'DISCONNECTED', api: Kind = 'baileys') =>
    describeStart({ pace, startsAt }, { name: 'Loja', api, status }, getTexts('sends'), NOW)
  const soon = '2026-11-23T12:00:15.000Z'
  expect(begins(soon, 'CONNECTED')).toBe('pela conexão Loja · começa agora e pode ser pausado no meio')
  expect(begins('2026-11-24T11:00:00.000Z', 'CONNECTED')).toBe('pela conexão Loja · começa amanhã às 08:00')
  expect(begins(null, 'CONNECTED')).toBe('pela conexão Loja · não começa com estes limites')
  expect(begins(soon, 'DISCONNECTED')).toBe('Loja está sem celular: sai quando voltar')
  expect(begins(soon, 'DISCONNECTED', 'cloud_api')).toBe('Loja está fora do ar: sai quando voltar')
})

describe('decisions §15: states of a send', () => {
  test('each says in words why it stands still, and who did it', () => {
    const marina = { id: 1, name: 'Marina', profilePicUrl: null }
    expect(describeStanding({ state: 'calculating', total: 0 })).toBe('contando destinatários')
    expect(describeStanding({ state: 'paused', stateUser: marina })).toBe('Pausado por Marina')
    expect(describeStanding({ state: 'paused' })).toBe('Pausado')
    expect(describeStanding({ state: 'cancelled', stateUser: marina })).toBe('Cancelado por Marina')
    expect(describeStanding({ state: 'waiting' })).toBe('na vez')
    expect(
      describeStanding({ state: 'waiting', stateReason: 'working_hours', resumesAt: '2026-11-24T11:00:00.000Z' }),
    ).toBe('fora do expediente, continua amanhã às 08:00')
    expect(describeStanding({ state: 'stopped', stateReason: 'blocked' })).toBe('Parou sozinho: o WhatsApp bloqueou')
    expect(describeStanding({ state: 'done', endedAt: '2026-11-23T11:30:00.000Z', falhas: 2 })).toBe(
      'Terminou hoje às 08:30 · 2 falharam',
    )
    expect(describeStanding({ state: 'done', stateReason: 'no_recipients' })).toBe('Ninguém para receber')
  })

  test('may be paused while it goes on, resumed while it stands still, cancelled until it is over', () => {
    const may = (part: Parameters<typeof makeMassSend>[0]) =>
      Object.entries(listSteps(makeMassSend(part))).flatMap(([what, is]) => (is ? what : []))
    for (const state of ['calculating', 'waiting', 'running'] as const)
      expect(may({ state })).toEqual(['paused', 'cancelled'])
    for (const state of ['paused', 'stopped'] as const) expect(may({ state })).toEqual(['resumed', 'cancelled'])
    for (const state of ['done', 'cancelled'] as const) expect(may({ state })).toEqual([])
    expect(may({ state: 'stopped', stateReason: 'connection_deleted' })).toEqual(['cancelled'])
    expect(LIVE_SEND_STATES.every(state => may({ state }).includes('cancelled'))).toBe(true)
  })

  test('every reason, state and cause of the contract has words', () => {
    const waits = ['working_hours', 'daily_cap', 'warm_up', 'disconnected']
    const keys = [
      ...SEND_REASONS.map(reason => (waits.includes(reason) ? `waits.${reason}` : `stops.${reason}`)),
      ...SEND_REASONS.filter(reason => !waits.includes(reason)).map(reason => `stopped.why.${reason}`),
      ...EXCLUSIONS.map(reason => `why.${reason}`),
      ...RECIPIENT_STATES.map(state => `recipient.${state}`),
      ...RISK_CAUSES.flatMap(cause => [`risk.cause.${cause}`, `risk.remedy.${cause}`]),
      ...[1, 2, 3, 4, 5].map(level => `risk.level.${level}`),
    ]
    expect(keys.filter(key => !hasText('sends', key))).toEqual([])
    expect(describeReason('ERR_SOMETHING_NEW', getTexts('sends'))).toBe('o WhatsApp não aceitou')
  })
})

describe('the form of a mass send', () => {
  const filled: SendFields = { ...EMPTY, mensagem: ' Oi ', recipients: { by: 'tags', contacts: [], tagIds: [4, 7] } }
  const lucia = { id: 3, name: 'Dona Lúcia' }
  const by = (api: Kind) => [{ id: 1, api, isDefault: true }]

  test('a connection that is gone is said at once, and so is that there is none; before they are known nothing is', () => {
    const by9: SendFields = { ...filled, whatsappId: 9 }
    expect(validateFields(by9, 'SAIR', by('baileys'))).toEqual({ whatsappId: 'send.connectionGone' })
    expect(validateFields(by9, 'SAIR', [{ id: 9, api: 'baileys', isDefault: false }])).toEqual({})
    for (const fields of [filled, by9])
      expect(validateFields(fields, 'SAIR', [])).toEqual({ whatsappId: 'send.noConnection' })
    expect(validateFields(by9, 'SAIR', null)).toEqual({})
  })

  test('spec 3 §5: a message and somebody to get it are required', () => {
    expect(validateFields(EMPTY, 'SAIR', by('baileys'))).toEqual({
      mensagem: 'send.messageRequired',
      recipients: 'send.audienceRequired',
    })
    expect(validateFields(filled, 'SAIR', by('baileys'))).toEqual({})
    const all: SendFields = { ...filled, recipients: { by: 'all', contacts: [], tagIds: [] } }
    expect(validateFields(all, 'SAIR', by('baileys'))).toEqual({})
    expect(validateFields({ ...filled, mensagem: '-- só nós' }, 'SAIR', by('baileys'))).toEqual({
      mensagem: 'send.messageComment',
    })
    // The way out counts, and so does the kind: Meta takes less under a file.
    const long = 'x'.repeat(4090)
    expect(validateFields({ ...filled, mensagem: long }, 'SAIR', by('cloud_api'))).toEqual({
      mensagem: 'Mensagem muito longa: 4.129 caracteres, cabem 4.096',
    })
    expect(validateFields({ ...filled, mensagem: long }, 'SAIR', by('baileys'))).toEqual({})
  })

  test('a file that no connection takes is refused before anything goes up, in words', () => {
    const withFile = (type: string) =>
      validateFields({ ...filled, media: new File(['x'], 'arquivo', { type }) }, '', by('cloud_api'))
    for (const type of ['image/heic', 'image/gif', 'application/zip', 'text/csv', 'video/webm'])
      expect([type, withFile(type)]).toEqual([type, { media: 'ERR_FILE_TYPE' }])
    for (const type of ['image/jpeg', 'video/mp4', 'application/pdf', ''])
      expect([type, withFile(type)]).toEqual([type, {}])
    expect(hasText('sends', 'problem.ERR_FILE_TYPE')).toBe(true)
  })

  test('only the way that is chosen counts', () => {
    const both = { ...filled, recipients: { by: 'contacts', contacts: [lucia], tagIds: [4] } } as const
    expect(toBody(both, 'SAIR', null)).toMatchObject({ allContacts: false, contactsIds: '3', tagsIds: '' })
    expect(hasRecipients({ ...both, recipients: { ...both.recipients, contacts: [] } })).toBe(false)
    expect(toBody(filled, 'SAIR', null)).toMatchObject({ contactsIds: '', tagsIds: '4,7' })
  })

  test('ends with how to get no more, where there is such a word', () => {
    expect(toSendText(filled, 'SAIR')).toBe('Oi\n\nPara não receber mais, responda SAIR.')
    expect([
      toSendText(filled, ''),
      toSendText({ ...filled, wayOut: false }, 'SAIR'),
      toSendText(EMPTY, 'SAIR'),
    ]).toEqual(['Oi', 'Oi', ''])
  })

  test('goes by the connection that is shown, also where another one becomes the default as it is sent', () => {
    const shown = [
      { id: 2, api: 'baileys', isDefault: false },
      { id: 5, api: 'baileys', isDefault: true },
    ] as const
    expect(toBody(filled, 'SAIR', shown).whatsappId).toBe(5)
    expect(toBody({ ...filled, whatsappId: 2 }, 'SAIR', shown).whatsappId).toBe(2)
    expect(toFormData(filled, 'SAIR', shown, 'c-1').get('whatsappId')).toBe('5')
    // What was chosen and is gone meanwhile is refused, not taken for the default one.
    expect(toBody({ ...filled, whatsappId: 9 }, 'SAIR', shown).whatsappId).toBe(9)
    expect(toBody(filled, 'SAIR', null).whatsappId).toBeUndefined()
  })

  test('goes as a form with its file, and twice is one and the same', () => {
    const media = new File(['x'], 'tabela.pdf')
    const form = toFormData({ ...filled, media, whatsappId: 2 }, 'SAIR', null, 'c-1')
    expect([form.get('clientId'), form.get('whatsappId'), form.get('tagsIds'), form.get('onlyWorkingHours')]).toEqual([
      'c-1',
      '2',
      '4,7',
      'true',
    ])
    expect((form.get('medias') as File).name).toBe('tabela.pdf')
  })

  test('decisions-2 §15: a template goes with it once nothing in it is missing', () => {
    const aviso: MessageTemplate = {
      ...{
        id: '7',
        name: 'aviso',
        category: 'UTILITY',
        status: 'APPROVED',
        language: 'pt_BR',
        parameterFormat: 'NAMED',
      },
      components: [
        { type: 'HEADER', format: 'DOCUMENT' },
        { type: 'BODY', text: 'Olá, {{nome}}! O pedido {{pedido}} sai amanhã.' },
      ],
    }
    const begun = startTemplate(aviso)
    expect([...begun.values.values()]).toEqual(['{{name}}'])
    expect(validateFields({ ...filled, template: begun }, 'SAIR', by('cloud_api'))).toEqual({
      template: 'send.templateIncomplete',
    })
    const words = updateTemplate(aviso, new Map([...begun.values, ['body.pedido', '4812']]), null)
    expect(words.missing).toBe(true)
    const whole = updateTemplate(aviso, words.values, { uploadId: 'u1', name: 'nota.pdf' })
    expect(validateFields({ ...filled, template: whole }, 'SAIR', by('cloud_api'))).toEqual({})
    expect(renderTemplateText(whole)).toBe('Olá, {{name}}! O pedido 4812 sai amanhã.')
    expect(toBody({ ...filled, template: whole }, 'SAIR', null).template).toMatchObject({
      name: 'aviso',
      parameters: [
        { type: 'header', parameters: [{ type: 'document', document: { uploadId: 'u1' } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: '{{name}}', parameter_name: 'nome' },
            { type: 'text', text: '4812', parameter_name: 'pedido' },
          ],
        },
      ],
    })
    const form = toFormData({ ...filled, template: whole }, 'SAIR', null, 'c1')
    expect(JSON.parse(String(form.get('template')))).toEqual(JSON.parse(JSON.stringify(whole.chosen)))
    // Whoever opens it again finds what was filled in, and keeps it by changing nothing.
    const file = { mediaId: 'u1', name: 'nota.pdf', mime: 'application/pdf' }
    const stored = updateTemplate(aviso, words.values, file)
    const again = restoreTemplate(aviso, JSON.parse(JSON.stringify(stored.chosen)))
    expect([[...again.values], again.file, again.missing]).toEqual([[...words.values], file, false])
    expect(again.chosen).toEqual(stored.chosen)
    expect(again.chosen.parameters?.[0]).toEqual({ type: 'header', parameters: [{ type: 'document', document: file }] })
  })

  test('a word is put in where the caret stands', () => {
    expect(withWord('Oi, !', 4, 4, 'name')).toEqual({ text: 'Oi, {{name}}!', caret: 12 })
    expect(withWord('Oi Fulano!', 3, 9, 'name')).toEqual({ text: 'Oi {{name}}!', caret: 11 })
  })

  test('goes by the chosen connection, else by the default one', () => {
    const all = [
      { id: 1, name: 'A', api: 'baileys', status: 'CONNECTED' },
      { id: 2, name: 'B', api: 'meow', status: 'CONNECTED', isDefault: true },
    ] as const
    expect([
      findConnection(all, null)?.id,
      findConnection(all, 1)?.id,
      findConnection(all, 9),
      findConnection([], null),
    ]).toEqual([2, 1, null, null])
  })
})
