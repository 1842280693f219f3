import { askAhead } from '@balcao/ui/api'
import { createRemoteApp } from '@balcao/ui/screens'
import { isSettingOn } from '@balcao/ui/session'

/** The remote of customer data and automation. */
export default createRemoteApp({
  '/contacts': {
    load: () => import(/* webpackChunkName: "contacts" */ './contacts/ContactsPage.tsx'),
    ask: () => askAhead('GET /contacts'),
  },
  '/agendamentos': {
    load: () => import(/* webpackChunkName: "schedules" */ './schedules/SchedulesPage.tsx'),
    ask: () => isSettingOn('allowAgendador') && askAhead('GET /agendamento'),
  },
  '/envios': {
    load: () => import(/* webpackChunkName: "sends" */ './sends/SendsPage.tsx'),
    ask: () => askAhead('GET /envioMassa'),
  },
  '/quickAnswers': {
    load: () => import(/* webpackChunkName: "quick-answers" */ './quick-answers/QuickAnswersPage.tsx'),
    ask: () => askAhead('GET /quickAnswers'),
  },
  '/protocolos': {
    load: () => import(/* webpackChunkName: "protocols" */ './protocols/ProtocolsPage.tsx'),
    ask: () => askAhead('GET /protocolos'),
  },
  '/ticketsBot': {
    load: () => import(/* webpackChunkName: "bot-tickets" */ './bot-tickets/BotTicketsPage.tsx'),
    ask: () => askAhead('GET /ticket2'),
  },
  '/perguntas': {
    load: () => import(/* webpackChunkName: "questions" */ './questions/QuestionsPage.tsx'),
    ask: () => askAhead('GET /pergunta'),
  },
  '/tags': {
    load: () => import(/* webpackChunkName: "tags" */ './tags/TagsPage.tsx'),
    ask: () => askAhead('GET /tag'),
  },
})
