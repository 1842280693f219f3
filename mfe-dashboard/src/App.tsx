import { createRemoteApp } from '@balcao/ui/screens'
import { askNumbers, askRatings, askServiceLevel } from './first-asked.ts'

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
  '/service-level': {
    load: () => import(/* webpackChunkName: "service-level" */ './service-level/ServiceLevelPage.tsx'),
    ask: askServiceLevel,
  },
  '/report': () => import(/* webpackChunkName: "reports" */ './reports/ReportsPage.tsx'),
})
