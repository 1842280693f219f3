import { askAhead } from '@balcao/ui/api'
import { createRemoteApp } from '@balcao/ui/screens'

/** The remote of administration; its pages are for admins only (spec 2 §6), which the shell sees to. */
export default createRemoteApp({
  '/connections': {
    load: () => import(/* webpackChunkName: "connections" */ './connections/ConnectionsPage.tsx'),
    ask: () => askAhead('GET /whatsapp'),
  },
  '/users': {
    load: () => import(/* webpackChunkName: "users" */ './users/UsersPage.tsx'),
    ask: () => askAhead('GET /users'),
  },
  '/Settings': {
    load: () => import(/* webpackChunkName: "settings" */ './settings/SettingsPage.tsx'),
    ask: () => askAhead('GET /settings'),
  },
  '/log': {
    load: () => import(/* webpackChunkName: "log" */ './log/LogPage.tsx'),
    // Of one thing alone where the address names it.
    ask: () => location.search === '' && askAhead('GET /log'),
  },
  '/integrations': {
    load: () => import(/* webpackChunkName: "integrations" */ './integrations/IntegrationsPage.tsx'),
    ask: () => askAhead('GET /integrations'),
  },
  '/privacy': () => import(/* webpackChunkName: "privacy" */ './privacy/PrivacyPage.tsx'),
  '/first-steps': {
    load: () => import(/* webpackChunkName: "first-steps" */ './first-steps/FirstStepsPage.tsx'),
    ask: () => askAhead('GET /first-steps'),
  },
  // Not asked ahead: what comes over the live line meanwhile would have it asked twice, and a check-up has outside hosts asked.
  '/doctor': () => import(/* webpackChunkName: "doctor" */ './doctor/DoctorPage.tsx'),
  '/Queues': {
    load: () => import(/* webpackChunkName: "queues" */ './queues/QueuesPage.tsx'),
    ask: () => askAhead('GET /queue'),
  },
})
