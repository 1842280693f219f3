import { beforeAll, describe, expect, test } from 'bun:test'
import { RECURRENCES, type Schedule, SEND_STATES, validateSchedule } from '@balcao/contract'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'
import {
  createDraft,
  ON_PAGE,
  toDraft,
  toScheduleForm,
  toScheduleFormData,
} from '../../ui/src/kit/forms/schedule-draft.ts'
import { updateTemplate } from '../../ui/src/kit/forms/template-input.ts'
import pt from '../locales/schedules/pt.json'
import { ADDRESS, isScheduleMatch, type ScheduleQuery } from '../src/schedules/list.ts'
import { SCHEDULES } from '../src/schedules/live-list.ts'
import {
  describeRhythm,
  describeScheduleState,
  describeTiming,
  formatLogStamp,
  formatNextDay,
  formatScheduleName,
  formatScheduleTime,
} from '../src/schedules/words.ts'
import { makeSchedule } from './schedule.ts'

beforeAll(() => addTexts('schedules', { pt, en: {}, es: {} }))

const ZONE = 'America/Sao_Paulo'
const NOW = new Date('2026-11-23T12:26:00Z')

describe('spec 3 §4: how each recurrence is shown', () => {
  const shown = (part: Partial<Schedule>) => describeRhythm(makeSchedule(part), getTexts('schedules'))

  test('a time, a weekday, Dia N, the Nth working day', () => {
    expect(shown({ recurrence: 'every_day' })).toBe('08:30')
    expect(shown({ recurrence: 'every_week', RValue: 'monday' })).toBe('segunda-feira')
    expect(shown({ recurrence: 'every_month', RValue: '05' })).toBe('Dia 05')
    expect(shown({ recurrence: 'business_day', RValue: '5' })).toBe('5º')
  })

  test('a quarter by its four months from the one behind the slash, around the end of the year', () => {
    expect(shown({ recurrence: 'quarterly', RValue: '15/02' })).toBe('fev, mai, ago, nov')
    expect(shown({ recurrence: 'quarterly', RValue: '01/11' })).toBe('nov, fev, mai, ago')
    expect(shown({ recurrence: 'quarterly', RValue: 'x' })).toBe('x')
  })

  test('once waits with 0, and with 1 was sent, or is being sent while total differs from sent', () => {
    const once = { recurrence: 'once', sendAt: '2026-12-21T13:00:00.000Z' } as const
    expect(shown({ ...once, RValue: '0' })).toBe('Aguardando')
    expect(shown({ ...once, RValue: '1', enviados: 3, total: 9 })).toBe('Enviando')
    expect(shown({ ...once, RValue: '1', enviados: 9, total: 9 })).toBe('Já enviado')
    expect([
      shown({ recurrence: 'last_day_of_month' }),
      shown({ recurrence: 'last_day_of_month', RValue: '1' }),
    ]).toEqual(['', 'Já enviado'])
  })

  test('hour and day are the company’s, the day that of the next time', () => {
    const once = makeSchedule({ recurrence: 'once', sendAt: '2026-12-21T13:00:00.000Z' })
    expect([formatScheduleTime(once), formatNextDay(once)]).toEqual(['10:00', '21/12/2026'])
    const daily = makeSchedule({ nextRunAt: '2026-11-25T01:30:00.000Z' })
    expect([formatScheduleTime(daily), formatNextDay(daily), formatNextDay(makeSchedule())]).toEqual([
      '08:30',
      '24/11/2026',
      '',
    ])
  })

  test('one line says how often and when, and the hour of what goes out every day once', () => {
    const line = (part: Partial<Schedule>) => describeTiming(makeSchedule(part), getTexts('schedules'))
    expect(line({ recurrence: 'every_day' })).toBe('Todo dia · 08:30')
    expect(line({ recurrence: 'every_month', RValue: '05' })).toBe('Todo mês · Dia 05 · 08:30')
    expect(line({ recurrence: 'last_day_of_month' })).toBe('Último dia do mês · 08:30')
  })

  test('a log says its second, as dd/MM/yy HH:mm:ss', () => {
    expect(formatLogStamp({ createdAt: '2026-11-23T12:26:05.123Z' })).toBe('23/11/26 09:26:05')
  })

  test('one without a title is called by its message', () => {
    expect([formatScheduleName(makeSchedule()), formatScheduleName(makeSchedule({ title: '' }))]).toEqual([
      'Aviso',
      'Até amanhã',
    ])
    expect(formatScheduleName(makeSchedule({ title: '', message: `a${'😀'.repeat(60)}` }))).toBe(`a${'😀'.repeat(29)}`)
  })

  test('one whose connection was deleted says so, and not that it waits', () => {
    const describe = (part: Parameters<typeof makeSchedule>[0]) =>
      describeScheduleState(makeSchedule(part), getTexts('schedules'))
    expect(describe({ state: 'waiting', stateReason: 'connection_deleted' })).toBe('Conexão excluída')
    expect(describe({ state: 'waiting' })).toBe('Aguardando')
  })

  test('every recurrence and state has words', () => {
    const keys = [...RECURRENCES.map(every => `every.${every}`), ...SEND_STATES.map(state => `state.${state}`)]
    expect(keys.filter(key => !hasText('schedules', key))).toEqual([])
  })
})

describe('spec 3 §2: scheduled sends are searched and filtered', () => {
  test('by title or message, whatever their accents, and by how often they go out: as the server finds them', () => {
    const one = makeSchedule({ title: 'Cobrança do mês', message: 'Seu boleto vence', recurrence: 'every_month' })
    const found = (search: string, recurrence: ScheduleQuery['recurrence'] = null) =>
      isScheduleMatch(one, { search, recurrence })
    expect([found(''), found('cobranca'), found('BOLETO'), found('boleto', 'every_month')]).toEqual(Array(4).fill(true))
    expect([found('farinha'), found('boleto', 'once'), found('', 'every_day')]).toEqual(Array(3).fill(false))
  })

  test('stand in the address, which says nothing where nothing is searched, and of which nonsense is left', () => {
    const query = { search: 'boleto & cia', recurrence: 'every_day' } as const
    const address = new URLSearchParams(ADDRESS.write(query))
    expect(ADDRESS.read(new URLSearchParams(address.toString()))).toEqual(query)
    expect(ADDRESS.write(SCHEDULES.start)).toEqual({})
    expect(ADDRESS.read(new URLSearchParams('recorrencia=sempre&busca=%20'))).toEqual(SCHEDULES.start)
  })
})

describe('spec 3 §2: the form on the page of scheduled sends', () => {
  test('offers all seven recurrences, begins 5 minutes ahead, with nobody chosen', () => {
    expect(ON_PAGE).toHaveLength(7)
    const draft = createDraft(null, NOW, ZONE)
    expect([draft.date, draft.time, draft.audience, draft.whatsappId]).toEqual(['2026-11-23', '09:31', 'tags', null])
    const faults = validateSchedule(toScheduleForm({ ...draft, message: 'Bom dia' }, null), NOW, ZONE, undefined)
    expect(faults).toEqual([{ path: 'contactsIds', code: 'recipientRequired' }])
  })

  test('a working day, the first at once and the connection go along', () => {
    const draft = {
      ...createDraft(null, NOW, ZONE),
      message: 'Bom dia',
      tagIds: [4],
      recurrence: 'business_day',
      nth: '5',
    } as const
    expect(validateSchedule(toScheduleForm(draft, null), NOW, ZONE, 'baileys')).toEqual([])
    const body = toScheduleFormData({ ...draft, firstSend: true, onlyWorkingHours: true, whatsappId: 2 }, null)
    const sent = ['RValue', 'sendAt', 'tagsIds', 'firstSend', 'onlyWorkingHours', 'whatsappId'].map(key =>
      body.get(key),
    )
    expect(sent).toEqual(['5', '09:31', '4', 'true', 'true', '2'])
    expect(toScheduleFormData(draft, null).has('whatsappId')).toBe(false)
    // What goes out once has no first one beside it.
    expect(toScheduleFormData({ ...draft, recurrence: 'once', firstSend: true }, null).get('firstSend')).toBe('false')
  })

  test('a new one goes by the connection that is shown; one that goes by the default one is left to it', () => {
    const draft = createDraft(null, NOW, ZONE)
    const shown = [
      { id: 2, isDefault: false },
      { id: 5, isDefault: true },
    ]
    const by = (known: Parameters<typeof toScheduleFormData>[2], whatsappId: number | null = null) =>
      toScheduleFormData({ ...draft, whatsappId }, null, known).get('whatsappId')
    expect(by({ clientId: 'c', connections: shown })).toBe('5')
    expect(by({ clientId: 'c', connections: shown }, 2)).toBe('2')
    expect(by({ clientId: 'c', connections: shown }, 9)).toBe('9')
    // The only one is not shown: what is sent later goes by the default one of then.
    expect(by({ clientId: 'c', connections: shown.slice(1) })).toBeNull()
    expect(by({ version: 3, connections: shown })).toBeNull()
  })

  test('one that is there comes back as it was', () => {
    const draft = toDraft(makeSchedule({ recurrence: 'business_day', RValue: '3', firstSend: true }), null, NOW, ZONE)
    expect([draft.audience, draft.nth, draft.time, draft.firstSend, draft.whatsappId]).toEqual([
      'tags',
      '3',
      '08:30',
      true,
      2,
    ])
    expect(
      toDraft(makeSchedule({ tags: [], contacts: [{ id: 3, name: 'A', number: null }] }), null, NOW, ZONE).audience,
    ).toBe('contacts')
  })
})

describe('decisions-2 §15: a template for who did not write within 24 hours', () => {
  const aviso = {
    id: '7',
    name: 'aviso',
    category: 'UTILITY',
    status: 'APPROVED',
    language: 'pt_BR',
    parameterFormat: 'NAMED',
  }
  const template = updateTemplate(
    { ...aviso, components: [{ type: 'BODY', text: 'Olá, {{nome}}!' }] },
    new Map([['body.nome', 'Ana']]),
    null,
  )

  test('goes with the form, stays where nothing is said of it, and is taken away by empty words', () => {
    const draft = createDraft(null, NOW, ZONE)
    expect(JSON.parse(String(toScheduleFormData({ ...draft, template }, null).get('template')))).toMatchObject({
      name: 'aviso',
    })
    const kept = toDraft(makeSchedule({ template: template.chosen }), null, NOW, ZONE)
    expect(toScheduleFormData(kept, null).has('template')).toBe(false)
    expect(toScheduleFormData({ ...kept, template: null }, null).get('template')).toBe('')
  })
})
