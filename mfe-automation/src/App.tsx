import { appOf } from '@balcao/ui/screens'

/** The remote of customer data and automation. */
export default appOf({
  '/contacts': () => import(/* webpackChunkName: "contacts" */ './contacts/ContactsPage.tsx'),
  '/envios': () => import(/* webpackChunkName: "sends" */ './sends/SendsPage.tsx'),
  '/quickAnswers': () => import(/* webpackChunkName: "quick-answers" */ './quick-answers/QuickAnswersPage.tsx'),
  '/protocolos': () => import(/* webpackChunkName: "protocols" */ './protocols/ProtocolsPage.tsx'),
  '/tags': () => import(/* webpackChunkName: "tags" */ './tags/TagsPage.tsx'),
})
