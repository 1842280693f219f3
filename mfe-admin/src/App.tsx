import { createRemoteApp } from '@balcao/ui/screens'

/** The remote of administration; its pages are for admins only (spec 2 §6), which the shell sees to. */
export default createRemoteApp({
  '/connections': () => import(/* webpackChunkName: "connections" */ './connections/ConnectionsPage.tsx'),
  '/users': () => import(/* webpackChunkName: "users" */ './users/UsersPage.tsx'),
  '/Settings': () => import(/* webpackChunkName: "settings" */ './settings/SettingsPage.tsx'),
  '/log': () => import(/* webpackChunkName: "log" */ './log/LogPage.tsx'),
  '/privacy': () => import(/* webpackChunkName: "privacy" */ './privacy/PrivacyPage.tsx'),
  '/doctor': () => import(/* webpackChunkName: "doctor" */ './doctor/DoctorPage.tsx'),
  '/Queues': () => import(/* webpackChunkName: "queues" */ './queues/QueuesPage.tsx'),
})
