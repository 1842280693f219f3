// The bot: its questions, and the tickets it has.
import type { Screen } from '../stage.ts'
import { makeEmptyScreen, makeFailedScreen, openForm, openRowForm, performRowAction } from '../steps.ts'

type ScreenContext = Parameters<Screen['steps']>[0]

const QUESTIONS = /\/pergunta\/?(\?|$)/
const TICKETS = /\/ticket2\/?(\?|$)/

export const BOT: readonly Screen[] = [
  { name: 'questions', steps: openQuestions },
  {
    name: 'questions-tried',
    steps: async stage => {
      await openQuestions(stage)
      for (const words of ['Oi, bom dia', '3', 'qual o frete']) {
        const field = stage.page.getByRole('textbox', { name: 'Escreva como cliente' })
        await field.fill(words)
        await field.press('Enter')
      }
      await stage.page.getByText('Desculpe, não encontrei').last().scrollIntoViewIfNeeded()
    },
  },
  makeEmptyScreen('questions-empty', { calls: QUESTIONS, path: '/perguntas', text: 'Nenhuma pergunta ainda' }),
  makeFailedScreen('questions-failed', { calls: QUESTIONS, path: '/perguntas', text: 'As perguntas não carregaram' }),
  { name: 'question-add', steps: openForm('/perguntas', 'Adicionar pergunta') },
  { name: 'question-edit', steps: openRowForm('/perguntas', 'Segunda via de boleto', 'Editar') },
  {
    name: 'bot-tickets',
    steps: openTickets,
    after: emptyTickets,
  },
  {
    name: 'bot-ticket-take',
    steps: async stage => {
      await openTickets(stage)
      await performRowAction(stage, 'Lanchonete do Neco', 'Atender')
      await stage.page.getByText('Atender Lanchonete do Neco?').waitFor()
    },
    after: emptyTickets,
  },
  {
    name: 'bot-ticket-close',
    state: true,
    steps: async stage => {
      await openTickets(stage)
      await performRowAction(stage, 'Lanchonete do Neco', 'Fechar')
      await stage.page.getByText('Fechar Lanchonete do Neco?').waitFor()
    },
    after: emptyTickets,
  },
  makeEmptyScreen('bot-tickets-empty', { calls: TICKETS, path: '/ticketsBot', text: 'Ninguém com o robô' }),
  makeFailedScreen('bot-tickets-failed', {
    calls: TICKETS,
    path: '/ticketsBot',
    text: 'Os atendimentos do robô não carregaram',
  }),
]

async function openQuestions(stage: ScreenContext): Promise<void> {
  await stage.open('/perguntas')
  await stage.page.getByText('Quero ser revendedor').first().waitFor()
  await stage.page.getByRole('textbox', { name: 'Escreva como cliente' }).waitFor()
}

const NAMES = [
  'Rotisseria Bela',
  'Seu Sebastião',
  'Lanchonete do Neco',
  'Tânia Vasconcelos',
  'Bar da Praça',
  'Varandão',
]
const WORDS = ['1', '99', 'quero falar com gente por favor', 'Oi', '', 'obrigado, era só isso']
const IN = ['Comercial', 'Financeiro', 'Entregas', null, 'Suporte', 'Comercial']

/** Six tickets with the bot, each with what its customer said last. */
async function openTickets(stage: ScreenContext): Promise<void> {
  await emptyTickets(stage)
  const { sql } = stage
  for (const [at, name] of NAMES.entries()) {
    const body = WORDS[at] ?? ''
    await sql`
      with c as (insert into contact (name, number) values (${name}, ${`553199811${1000 + at}`}) returning id)
      insert into ticket (contact_id, whatsapp_id, status, queue_id, last_message, last_message_type, last_message_at)
      select c.id, (select id from whatsapp where name = 'Loja Centro'), 'bot', (select id from queue where name = ${IN[at] ?? null}),
        ${body}, ${body === '' ? 'audio' : 'chat'}, now() - make_interval(mins => ${at * 7}) from c`
  }
  await stage.open('/ticketsBot')
  await stage.page.getByText('Lanchonete do Neco').first().waitFor()
}

async function emptyTickets({ sql }: ScreenContext): Promise<void> {
  await sql`delete from ticket where status = 'bot'`
  await sql`delete from contact where name = any(${NAMES}) and not exists (select from ticket t where t.contact_id = contact.id)`
}
