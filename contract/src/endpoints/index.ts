// All calls, keyed by method and path. The server registers exactly these; clients take their types from here.
import type { Static, TSchema } from '../schema.ts'
import { accountEndpoints } from './account.ts'
import { aiEndpoints } from './ai.ts'
import { apiEndpoints } from './api.ts'
import { chatEndpoints } from './chats.ts'
import { connectionEndpoints } from './connections.ts'
import { contactSheetEndpoints } from './contact-sheets.ts'
import { contactEndpoints } from './contacts.ts'
import { dashboardEndpoints } from './dashboard.ts'
import { doctorEndpoints } from './doctor.ts'
import { jobEndpoints } from './jobs.ts'
import { lookupEndpoints } from './lookups.ts'
import { massSendEndpoints } from './mass-sends.ts'
import { messageEndpoints } from './messages.ts'
import { notificationEndpoints } from './notifications.ts'
import { numberCheckEndpoints } from './number-check.ts'
import { privacyEndpoints } from './privacy.ts'
import { protocolEndpoints } from './protocols.ts'
import { questionEndpoints } from './questions.ts'
import { queueEndpoints } from './queues.ts'
import { quickAnswerEndpoints } from './quick-answers.ts'
import { ratingEndpoints } from './ratings.ts'
import { reportEndpoints } from './reports.ts'
import { scheduleEndpoints } from './schedules.ts'
import { sessionEndpoints } from './session.ts'
import { settingEndpoints } from './settings.ts'
import { tagEndpoints } from './tags.ts'
import { ticketEndpoints } from './tickets.ts'
import { userEndpoints } from './users.ts'

export { UpdateNote } from './account.ts'
export { ChatMessagePage } from './chats.ts'
export { ConnectionEdit, ConnectionForm } from './connections.ts'
export { BULK_ACTIONS, SheetDryRunAnswer } from './contact-sheets.ts'
export { GALLERY_KINDS, type GalleryKind } from './contacts.ts'
export type { Endpoint } from './endpoint.ts'
export { MassSendBody } from './mass-sends.ts'
export { MessageInformation, MessagePage, NewMessage } from './messages.ts'
export { Device, SignedIn } from './session.ts'
export { MessageHit, TicketListQuery, TicketPage, TicketSearchResult } from './tickets.ts'
export { SheetFile, UserForm, UserImportResult } from './users.ts'

export const endpoints = {
  ...sessionEndpoints,
  ...accountEndpoints,
  ...userEndpoints,
  ...ticketEndpoints,
  ...messageEndpoints,
  ...aiEndpoints,
  ...chatEndpoints,
  ...connectionEndpoints,
  ...dashboardEndpoints,
  ...doctorEndpoints,
  ...jobEndpoints,
  ...lookupEndpoints,
  ...questionEndpoints,
  ...queueEndpoints,
  ...quickAnswerEndpoints,
  ...notificationEndpoints,
  ...numberCheckEndpoints,
  ...privacyEndpoints,
  ...protocolEndpoints,
  ...ratingEndpoints,
  ...apiEndpoints,
  ...contactEndpoints,
  ...contactSheetEndpoints,
  ...reportEndpoints,
  ...scheduleEndpoints,
  ...massSendEndpoints,
  ...settingEndpoints,
  ...tagEndpoints,
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
