import { describe, expect, test } from 'bun:test'
import type { ScheduleLog } from '@balcao/contract'
import { createDraft, toDraft, toScheduleForm, toScheduleFormData } from '../../ui/src/kit/forms/schedule-draft.ts'
import { extractLinks } from '../src/contact/GalleryItems.tsx'
import { withLogs } from '../src/schedule/logs.ts'
import { makeMessage, makeTicket } from './make.ts'

const ZONE = 'America/Sao_Paulo'
const NOW = new Date('2026-11-21T12:26:00Z')
const WHOLE = { hasMore: false, hasNewer: false }
const ticket = makeTicket({ contactId: 3, whatsappId: 2 })

describe('spec 1 §5: schedule dialog', () => {
  test('begins 5 minutes ahead by the clocks of the company, for the contact of the conversation', () => {
    const draft = createDraft(ticket, NOW, ZONE)
    expect([draft.date, draft.time]).toEqual(['2026-11-21', '09:31'])
    expect(toScheduleForm(draft, 3)).toMatchObject({ recurrence: 'once', sendAt: '2026-11-21T09:31', contactsIds: [3] })
    const night = createDraft(ticket, new Date('2026-11-22T02:57:00Z'), ZONE)
    expect([night.date, night.time]).toEqual(['2026-11-22', '00:02'])
  })

  test('sends ids joined with commas, and of the recipients one kind alone', () => {
    const draft = {
      ...createDraft(ticket, NOW, ZONE),
      audience: 'contacts',
      contacts: [
        { id: 5, name: 'A' },
        { id: 8, name: 'B' },
      ],
      tagIds: [1],
    } as const
    const body = toScheduleFormData(draft, 3)
    expect([body.get('contactsIds'), body.get('tagsIds'), body.get('allContacts')]).toEqual(['5,8', '', 'false'])
    expect(toScheduleFormData({ ...draft, audience: 'all' }, 3).get('contactsIds')).toBe('')
  })

  test('one that is there comes back as it was', () => {
    const schedule = {
      id: 1,
      title: 'Aviso',
      message: 'Até amanhã',
      recurrence: 'every_week',
      RValue: 'monday',
      sendAt: '08:30',
      nextRunAt: null,
      onlyWorkingHours: false,
      state: 'done',
      stateReason: null,
      stateUser: null,
      run: null,
      enviado: false,
      enviados: 0,
      total: 0,
      allContacts: false,
      contactsIds: '3',
      tagsIds: '',
      contacts: [{ id: 3, name: 'Dona Lúcia', number: null }],
      tags: [],
      whatsappId: 2,
      whatsapp: null,
      mediaUrl: null,
      mediaType: null,
      mediaName: null,
      template: null,
      firstSend: false,
      userId: 1,
      program: null,
      createdAt: '',
      updatedAt: '',
      version: 1,
    } as const
    const draft = toDraft({ ...schedule, contacts: [...schedule.contacts], tags: [] }, ticket, NOW, ZONE)
    expect([draft.audience, draft.weekday, draft.time]).toEqual(['contact', 'monday', '08:30'])
    expect(toScheduleForm(draft, 3)).toMatchObject({
      recurrence: 'every_week',
      RValue: 'monday',
      sendAt: '08:30',
      contactsIds: [3],
    })
  })
})

describe('spec 1 §2: scheduling logs', () => {
  const log = (id: number, createdAt: string): ScheduleLog => ({
    id,
    createdAt,
    body: '',
    wasSend: true,
    agendamento: { id: 1, title: 'Aviso', message: 'x' },
  })
  const messages = [
    makeMessage({ id: 1, createdAt: '2026-11-21T10:00:00Z' }),
    makeMessage({ id: 2, createdAt: '2026-11-21T12:00:00Z' }),
  ]

  test('stand between the messages of their time', () => {
    const lines = withLogs(messages, [log(7, '2026-11-21T11:00:00Z'), log(8, '2026-11-21T13:00:00Z')], ticket, WHOLE)
    expect(lines.map(message => message.system?.code ?? message.id)).toEqual([1, 'scheduleSent', 2, 'scheduleSent'])
  })

  test('those older than what is loaded wait for it', () => {
    const older = [log(7, '2026-11-20T11:00:00Z')]
    expect(withLogs(messages, older, ticket, { hasMore: true, hasNewer: false })).toBe(messages)
    expect(withLogs(messages, older, ticket, WHOLE)[0]?.system?.code).toBe('scheduleSent')
  })
})

test('the links of a message are found without the sign behind them, each once', () => {
  const text = 'Veja https://a.example/x, (http://b.example) e https://a.example/x.'
  expect(extractLinks(text).map(link => link.href)).toEqual(['https://a.example/x', 'http://b.example/'])
})
