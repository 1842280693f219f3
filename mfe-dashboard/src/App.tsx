import { appOf } from '@balcao/ui/screens'

/** The remote of the dashboard; for admins only (spec 1 §2), which the shell sees to. */
export default appOf({
  '/': () => import(/* webpackChunkName: "dashboard" */ './stats/DashboardPage.tsx'),
})
