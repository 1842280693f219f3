// The bot's questions in their order, and which tickets it has (spec 3 §2, §4).
import { expect, test } from 'bun:test'
import { applyFieldRules, type Question, questionRules } from '@balcao/contract'
import { compareLatestFirst, isBotTicketMatch, toBotRowChange } from '../src/bot-tickets/list.ts'
import { BOT_TICKETS } from '../src/bot-tickets/live-list.ts'
import { createMenuLookup } from '../src/bot-tickets/menus.ts'
import { toFields } from '../src/questions/form.ts'
import { compareQuestions, isQuestionMatch as finds } from '../src/questions/list.ts'
import { sortByIds } from '../src/questions/use-order.ts'
import { makeTicket as ticket } from './ticket.ts'

function makeQuestion(id: number, part: Partial<Question> = {}): Question {
  const row = { pergunta: `P${id}`, resposta: 'Assim.', queueId: null, queue: null, openTicket: false }
  return { id, ...row, order: id, version: 1, ...part }
}

test('spec 3 §5: pergunta and resposta have at least one character', () => {
  const faults = (pergunta: string, resposta: string) => applyFieldRules(questionRules, { pergunta, resposta }).faults
  expect([faults(' ', ''), faults('?', '.')]).toEqual([
    { pergunta: 'schema.fieldRequired', resposta: 'schema.fieldRequired' },
    {},
  ])
  expect(faults('P'.repeat(251), 'R'.repeat(4097))).toEqual({ pergunta: 'field.tooLong', resposta: 'field.tooLong' })
  expect(toFields(null)).toEqual({ pergunta: '', resposta: '', queueId: null, openTicket: false })
})

test('questions stand as the bot numbers them; a search looks in question and answer', () => {
  const rows = [makeQuestion(1, { order: 3 }), makeQuestion(2, { order: 1 }), makeQuestion(3, { order: 2 })]
  expect(rows.toSorted(compareQuestions).map(({ id }) => id)).toEqual([2, 3, 1])
  const hours = makeQuestion(1, { pergunta: 'Horário', resposta: 'Rua das Acácias' })
  expect(['HORARIO', 'acacias', 'boleto'].map(search => finds(hours, { search }))).toEqual([true, true, false])
})

test('questions that are being moved stand where they were put; one that came meanwhile stands behind', () => {
  const rows = [1, 2, 3, 4].map(id => makeQuestion(id))
  expect(sortByIds([3, 1, 2], rows).map(({ id }) => id)).toEqual([3, 1, 2, 4])
  expect(sortByIds([9, 3], rows).map(({ id }) => id)).toEqual([3, 1, 2, 4])
})

test('tickets of the bot: whoever wrote last first, found by name, number, words and queue', () => {
  const [old, late] = [
    ticket(2, { lastMessageAt: '2026-11-23T10:00:00Z' }),
    ticket(1, { lastMessageAt: '2026-11-23T11:00:00Z' }),
  ]
  expect([old, late].toSorted(compareLatestFirst).map(({ id }) => id)).toEqual([1, 2])
  const neco = ticket(7, {
    contact: { ...late.contact, name: 'Lanchonete do Neço', number: '5531998762210' },
    lastMessage: 'quero falar com gente',
    queueId: 4,
  })
  const found = (search: string, queueId: number | null = null) => isBotTicketMatch(neco, { search, queueId })
  expect(['neco', '998762', 'FALAR', '7', 'ninguém', '99 9'].map(search => found(search))).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ])
  expect([
    found('', 4),
    found('', 5),
    isBotTicketMatch(ticket(8, { queueId: null }), { search: '', queueId: 5 }),
  ]).toEqual([true, false, false])
})

test('ticketBot: a ticket that leaves the bot leaves the list, whatever is told of it', () => {
  const told = { event: 'ticket', version: 5 } as const
  const here = ticket(7, { version: 5 })
  const gone = { gone: 7, version: 5 }
  expect(toBotRowChange({ ...told, action: 'create', ticket: here })).toEqual({ put: here, isNew: true })
  expect(toBotRowChange({ ...told, action: 'updateUnread', ticket: here })).toEqual({ put: here, isNew: false })
  for (const status of ['pending', 'open', 'closed', 'nps'] as const)
    expect(toBotRowChange({ ...told, action: 'update', ticket: { ...here, status } })).toEqual(gone)
  expect(toBotRowChange({ ...told, action: 'delete', ticketId: 7, reason: 'hidden' })).toEqual(gone)
  expect(BOT_TICKETS.start).toEqual({ search: '', queueId: null })
})

test('decisions-2 §10: what a customer answers a flow of Typebot is no number of the questions', () => {
  const questions = [makeQuestion(1)]
  const { whatsapp } = ticket(7)
  const menuOf = createMenuLookup([
    questions,
    [],
    [
      { ...whatsapp, id: 1, hasFlow: false },
      { ...whatsapp, id: 2, hasFlow: true },
    ],
  ])
  expect([1, 2].map(whatsappId => menuOf({ whatsappId }))).toEqual([questions, null])
  expect(createMenuLookup(null)({ whatsappId: 1 })).toBeNull()
})
