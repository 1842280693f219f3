// All calls, keyed by method and path. The server registers exactly these; clients take their types from here.

import { aiEndpoints } from './ai/endpoints.ts'
import { apiEndpoints } from './api/endpoints.ts'
import { apiTokenEndpoints } from './api/token-endpoints.ts'
import { chatEndpoints } from './chats/endpoints.ts'
import { connectionEndpoints } from './connections/endpoints.ts'
import { contactSheetEndpoints } from './contact-sheets/endpoints.ts'
import { contactEndpoints } from './contacts/endpoints.ts'
import { numberCheckEndpoints } from './contacts/number-check-endpoints.ts'
import { dashboardEndpoints } from './dashboard/endpoints.ts'
import { doctorEndpoints } from './doctor/endpoints.ts'
import { firstStepEndpoints } from './first-steps/first-steps.ts'
import { jobEndpoints } from './jobs/endpoints.ts'
import type { Static, TSchema } from './kit/schema.ts'
import { listEndpoints } from './lists.ts'
import { logEndpoints } from './log/endpoints.ts'
import { messageEndpoints } from './messages/endpoints.ts'
import { moveInEndpoints } from './move-in/endpoints.ts'
import { notificationEndpoints } from './notifications/endpoints.ts'
import { privacyEndpoints } from './privacy/endpoints.ts'
import { protocolEndpoints } from './protocols/endpoints.ts'
import { ratingEndpoints } from './ratings/endpoints.ts'
import { reportEndpoints } from './reports/endpoints.ts'
import { scheduleEndpoints } from './schedules/endpoints.ts'
import { massSendEndpoints } from './sends/endpoints.ts'
import { sessionEndpoints } from './sessions/endpoints.ts'
import { settingEndpoints } from './settings/endpoints.ts'
import { ticketEndpoints } from './tickets/endpoints.ts'
import { accountEndpoints } from './users/account-endpoints.ts'
import { userEndpoints } from './users/endpoints.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'

export { ChatMessagePage } from './chats/endpoints.ts'
export { ConnectionEdit, ConnectionForm } from './connections/endpoints.ts'
export { BULK_ACTIONS, SheetDryRunAnswer } from './contact-sheets/endpoints.ts'
export { GALLERY_KINDS, type GalleryKind } from './contacts/endpoints.ts'
export type { Endpoint } from './kit/endpoint.ts'
export { MessageInformation, MessagePage, NewMessage } from './messages/endpoints.ts'
export { MassSendBody } from './sends/endpoints.ts'
export { Device, SignedIn } from './sessions/endpoints.ts'
export { MessageHit, TicketListQuery, TicketPage, TicketSearchPage } from './tickets/endpoints.ts'
export { UpdateNote } from './users/account-endpoints.ts'
export { SheetFile, UserForm, UserImportResult } from './users/endpoints.ts'

export const endpoints = {
  ...sessionEndpoints,
  ...accountEndpoints,
  ...userEndpoints,
  ...ticketEndpoints,
  ...messageEndpoints,
  ...aiEndpoints,
  ...chatEndpoints,
  ...connectionEndpoints,
  ...listEndpoints,
  ...dashboardEndpoints,
  ...doctorEndpoints,
  ...firstStepEndpoints,
  ...jobEndpoints,
  ...logEndpoints,
  ...moveInEndpoints,
  ...notificationEndpoints,
  ...numberCheckEndpoints,
  ...privacyEndpoints,
  ...protocolEndpoints,
  ...ratingEndpoints,
  ...apiEndpoints,
  ...apiTokenEndpoints,
  ...contactEndpoints,
  ...contactSheetEndpoints,
  ...reportEndpoints,
  ...scheduleEndpoints,
  ...massSendEndpoints,
  ...settingEndpoints,
  ...webhookEndpoints,
}

type EndpointMap = typeof endpoints
/** `'GET /tickets/:id'` and so on. */
export type EndpointKey = keyof EndpointMap

type SchemaType<E, K extends string> = E extends { readonly [P in K]: infer S }
  ? S extends TSchema
    ? Static<S>
    : undefined
  : undefined
export type ResponseBody<K extends EndpointKey> = EndpointMap[K] extends { readonly look: TSchema }
  ? SchemaType<EndpointMap[K], 'answer'> | SchemaType<EndpointMap[K], 'look'>
  : EndpointMap[K] extends { readonly answer: TSchema }
    ? SchemaType<EndpointMap[K], 'answer'>
    : undefined
export type QueryParams<K extends EndpointKey> = SchemaType<EndpointMap[K], 'query'>
export type RequestBody<K extends EndpointKey> = SchemaType<EndpointMap[K], 'body'>

type PathParamNames<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | PathParamNames<More>
    : Rest
  : never
/** The names after a colon in the path, each a string or number. */
export type PathParams<K extends EndpointKey> = { readonly [N in PathParamNames<K>]: string | number }
