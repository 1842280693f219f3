// Scheduled sends: each recurrence as a row, the form, the logs, one by itself.
import type { Schedule, ScheduleLogRow } from '@balcao/contract'
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, mockAnswer, openForm, performRowAction, waitForDialog } from '../steps.ts'
import { mockOfficialConnection, withTemplate } from './sends.ts'

const LIST = /\/agendamento\/?(\?|$)/
const LOGS = /\/agendamento\/logs\/\d+/

const toDayInstant = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const TAG = { id: 4, name: 'Recorrente', color: '#1f8fb5' }

function makeSchedule(part: Partial<Schedule> & Pick<Schedule, 'id' | 'title'>): Schedule {
  return {
    ...{ message: 'Tabela da semana, {{name}}', recurrence: 'every_day', RValue: '', sendAt: '08:00' },
    ...{
      nextRunAt: toDayInstant(1),
      enviado: false,
      enviados: 560,
      total: 560,
      allContacts: false,
      contactsIds: '',
      tagsIds: '4',
    },
    ...{ contacts: [], tags: [TAG], whatsappId: 1, whatsapp: { id: 1, name: 'Loja Centro' } },
    ...{ mediaUrl: null, mediaType: null, mediaName: null, template: null, firstSend: false, onlyWorkingHours: false },
    ...{ state: 'waiting', stateReason: null, stateUser: null, run: null, userId: 1, program: null },
    ...{ createdAt: toDayInstant(-9), updatedAt: toDayInstant(-9), version: 1, ...part },
  }
}

const SCHEDULES: readonly Schedule[] = [
  makeSchedule({ id: 17, title: 'Bom dia de segunda', recurrence: 'every_week', RValue: 'monday' }),
  makeSchedule({
    ...{
      id: 16,
      title: 'Feriado de Natal',
      recurrence: 'once',
      RValue: '0',
      sendAt: toDayInstant(28),
      nextRunAt: toDayInstant(28),
    },
    ...{ allContacts: true, tags: [], enviados: 0, total: 0, message: 'Não abrimos de 24 a 26/12' },
  }),
  makeSchedule({ id: 15, title: 'Aviso de entrega', enviados: 212, total: 212, tags: [], contacts: makeContacts(12) }),
  makeSchedule({
    id: 14,
    title: 'Cobrança do mês',
    recurrence: 'every_month',
    RValue: '05',
    mediaName: 'como-pagar.pdf',
  }),
  makeSchedule({ id: 13, title: 'Tabela trimestral', recurrence: 'quarterly', RValue: '15/02', state: 'paused' }),
  makeSchedule({ id: 12, title: 'Fechamento', recurrence: 'last_day_of_month', enviados: 940, total: 940 }),
  makeSchedule({ id: 11, title: 'Nota fiscal', recurrence: 'business_day', RValue: '5', enviados: 86, total: 90 }),
  makeSchedule({
    ...{
      id: 10,
      title: 'Aniversário da loja',
      recurrence: 'once',
      RValue: '1',
      sendAt: toDayInstant(-0.01),
      nextRunAt: null,
    },
    ...{ enviados: 128, total: 1712, state: 'running' },
  }),
  makeSchedule({ id: 9, title: '', tags: [], contacts: makeContacts(1), enviados: 0, total: 0 }),
]

function makeContacts(count: number): Schedule['contacts'] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Mercado ${index + 1}`, number: null }))
}

const WRITTEN: readonly ScheduleLogRow[] = (['read', 'delivered', 'sent', 'failed', 'excluded'] as const).map(
  (state, index) => ({
    ...{ id: 90 - index, contact: { id: index, name: `Padaria ${index + 1}`, number: '5531998762210' } },
    ...{ body: 'Boa tarde! Seu boleto vence no dia 10.', wasSend: index < 3, state, reason: null, messageId: null },
    ...{ runId: 1, createdAt: toDayInstant(-index / 1000) },
  }),
)

async function inventSchedules(stage: ScreenContext): Promise<void> {
  await mockAnswer(stage, LIST, () => ({ agendamentos: SCHEDULES, count: 9, hasMore: false, nextCursor: null }))
  await stage.page.route(LOGS, route =>
    route.fulfill({ json: { logs: WRITTEN, count: WRITTEN.length, hasMore: false, nextCursor: null } }),
  )
  await stage.open('/agendamentos')
  await stage.page.getByText('Bom dia de segunda').first().waitFor()
}

export const SCHEDULED: readonly Screen[] = [
  { name: 'schedules', steps: inventSchedules },
  {
    name: 'schedule-logs',
    steps: async stage => {
      await inventSchedules(stage)
      await performRowAction(stage, 'Bom dia de segunda', 'Ver o histórico de envio de')
      await stage.page.getByText('Padaria 1').waitFor()
    },
  },
  {
    name: 'schedule-detail',
    steps: async stage => {
      await inventSchedules(stage)
      await performRowAction(stage, 'Cobrança do mês', 'Ver')
      await waitForDialog(stage)
    },
  },
  { name: 'schedule-before', steps: openForm('/agendamentos', 'Novo agendamento') },
  {
    name: 'schedule-new',
    steps: async stage => {
      await stage.open('/agendamentos')
      await locateButton(stage, 'Novo agendamento').first().click()
      await locateButton(stage, 'Entendi, continuar').click()
      const { page } = stage
      await page
        .locator('.b-drawer')
        .getByLabel(/^Mensagem/)
        .fill('{{ms}}, {{name}}! Seu boleto vence no dia 10.')
      await page.getByRole('radio', { name: /^Dia útil do mês/ }).check()
      await page.locator('.h-every .b-select').click()
      await page.getByRole('option', { name: '5º dia útil', exact: true }).click()
      await page.getByRole('list', { name: 'Depois' }).waitFor()
    },
  },
  {
    name: 'schedule-template',
    fresh: true,
    state: true,
    steps: async stage => {
      await mockOfficialConnection(stage)
      await stage.open('/agendamentos')
      await locateButton(stage, 'Novo agendamento').first().click()
      await locateButton(stage, 'Entendi, continuar').click()
      await withTemplate(stage)
    },
  },
]
