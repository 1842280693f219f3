import { createRemoteApp } from '@balcao/ui/screens'
import { askNumbers, askRatings } from './first-asked.ts'

/** The remote of the manager's figures; who may see which the shell sees to, and the server (decisions §4). */
export default createRemoteApp({
  '/': {
    load: () => import(/* webpackChunkName: "dashboard" */ './dashboard/DashboardPage.tsx'),
    ask: askNumbers,
  },
  '/Nps': {
    load: () => import(/* webpackChunkName: "nps" */ './nps/NpsPage.tsx'),
    ask: askRatings,
  },
  '/report': () => import(/* webpackChunkName: "reports" */ './reports/ReportsPage.tsx'),
})
