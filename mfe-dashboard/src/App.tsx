import { createRemoteApp } from '@balcao/ui/screens'

/** The remote of the manager's figures; who may see which the shell sees to, and the server (decisions §4). */
export default createRemoteApp({
  '/': () => import(/* webpackChunkName: "dashboard" */ './dashboard/DashboardPage.tsx'),
  '/Nps': () => import(/* webpackChunkName: "nps" */ './nps/NpsPage.tsx'),
  '/report': () => import(/* webpackChunkName: "reports" */ './reports/ReportsPage.tsx'),
})
