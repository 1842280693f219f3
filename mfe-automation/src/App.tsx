import { appOf } from '@balcao/ui/screens'

/** The remote of customer data and automation. */
export default appOf({
  '/quickAnswers': () => import(/* webpackChunkName: "quick-answers" */ './quick-answers/QuickAnswersPage.tsx'),
})
