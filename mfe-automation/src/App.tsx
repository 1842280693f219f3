import { createRemoteApp } from '@balcao/ui/screens'

/** The remote of customer data and automation. */
export default createRemoteApp({
  '/contacts': () => import(/* webpackChunkName: "contacts" */ './contacts/ContactsPage.tsx'),
  '/agendamentos': () => import(/* webpackChunkName: "schedules" */ './schedules/SchedulesPage.tsx'),
  '/envios': () => import(/* webpackChunkName: "sends" */ './sends/SendsPage.tsx'),
  '/quickAnswers': () => import(/* webpackChunkName: "quick-answers" */ './quick-answers/QuickAnswersPage.tsx'),
  '/protocolos': () => import(/* webpackChunkName: "protocols" */ './protocols/ProtocolsPage.tsx'),
  '/ticketsBot': () => import(/* webpackChunkName: "bot-tickets" */ './bot-tickets/BotTicketsPage.tsx'),
  '/perguntas': () => import(/* webpackChunkName: "questions" */ './questions/QuestionsPage.tsx'),
  '/tags': () => import(/* webpackChunkName: "tags" */ './tags/TagsPage.tsx'),
})
