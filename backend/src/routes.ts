// Every feature's calls in one list.

import { aiRoutes } from './ai/routes.ts'
import { apiRoutes } from './api/routes.ts'
import { chatRoutes } from './chats/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { contactSheetRoutes } from './contact-sheets/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { endSends, followSettings } from './follow-changes.ts'
import type { Route } from './http/serve.ts'
import { integrationRoutes } from './integration/routes.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { logRoutes } from './log/routes.ts'
import { mediaRoutes } from './media/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { noteRoutes } from './notes/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import type { Parts } from './parts.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { protocolRoutes } from './protocols/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { questionRoutes } from './questions/routes.ts'
import { queueRoutes } from './queues/routes.ts'
import { quickAnswerRoutes } from './quick-answers/routes.ts'
import { ratingRoutes } from './ratings/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { sendRoutes } from './sends/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { settingRoutes } from './settings/routes.ts'
import { systemRoutes } from './system.ts'
import { tagRoutes } from './tags/routes.ts'
import { ticketRoutes } from './tickets/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export function featureRoutes(parts: Parts): Route[] {
  return [
    ...systemRoutes(parts),
    ...sessionRoutes(parts),
    ...ticketRoutes(parts),
    ...messageRoutes(parts),
    ...aiRoutes(parts),
    ...integrationRoutes(),
    ...mediaRoutes(),
    ...chatRoutes(parts),
    ...connectionRoutes(parts, endSends),
    ...queueRoutes(parts),
    ...questionRoutes(parts),
    ...tagRoutes(parts),
    ...userRoutes(parts),
    ...settingRoutes(parts, followSettings),
    ...contactRoutes(parts),
    ...contactSheetRoutes(parts),
    ...quickAnswerRoutes(parts),
    ...scheduleRoutes(parts),
    ...sendRoutes(parts),
    ...dashboardRoutes(parts),
    ...reportRoutes(parts),
    ...jobRoutes(parts),
    ...logRoutes(parts),
    ...noteRoutes(parts),
    ...notificationRoutes(parts),
    ...pushRoutes(parts),
    ...invoiceRoutes(parts),
    ...protocolRoutes(parts),
    ...privacyRoutes(parts),
    ...doctorRoutes(parts),
    ...ratingRoutes(parts),
    ...apiRoutes(parts),
    ...webhookRoutes(),
  ]
}
