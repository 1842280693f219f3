// Modules of WhatsApp Web that know nothing of the phone: they answer from what they are given, or always the same.
import { createMediaObject, encryptAndUpload, OpaqueData, prepRawMedia, uploadMedia } from './media'
import type { ChatModel, ModelFields, Msg } from './models'
import { createWid, MsgKey } from './wid'

export const doNothing = () => undefined

export const STILL_MODULES: Readonly<Record<string, unknown>> = {
  WABase64: { encodeB64: (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)) },
  WALinkify: { findLink: doNothing, findLinks: () => [] },
  WAWap: {
    wap: (tag: string, attrs: ModelFields, content: unknown) => ({ tag, attrs, content }),
    generateId: () => crypto.randomUUID(),
  },
  WAWebAddonPollVoteTableMode: { pollVoteTableMode: { bulkUpsert: doNothing } },
  WAWebAdvSignatureApi: {},
  WAWebBackendJobsCommon: { mediaTypeFromProtobuf: doNothing },
  WAWebChatGetters: { getIsNewsletter: () => false, getIsBroadcast: () => false },
  WAWebChatLoadMessages: {
    async loadEarlierMsgs({ chat }: { chat: ChatModel }) {
      const loaded = chat.earlier.splice(-10)
      chat.loaded = [...loaded, ...chat.loaded]
      return loaded
    },
  },
  WAWebCompanionRegClientUtils: { DEVICE_PLATFORM: '1' },
  WAWebE2EProtoUtils: { typeAttributeFromProtobuf: doNothing },
  WAWebFrontendContactGetters: { getIsMyContact: () => false },
  WAWebGetEphemeralFieldsMsgActionsUtils: { getEphemeralFields },
  WAWebMediaDataUtils: { shouldUseMediaCache: () => false },
  WAWebMediaMmsV4Upload: { uploadMedia },
  WAWebMediaOpaqueData: OpaqueData,
  WAWebMediaStorage: { getOrCreateMediaObject: createMediaObject },
  WAWebMmsMediaTypes: { msgToMediaType: ({ type }: { type: string }) => type, castToV4: (type: string) => type },
  WAWebMsgActionCapability: {
    canSenderRevokeMsg: (message: Msg) => message.id.fromMe,
    canAdminRevokeMsg: () => false,
    canEditText: (message: Msg) => message.id.fromMe && message.type === 'chat',
    canEditCaption: (message: Msg) => message.id.fromMe && message.mediaData !== undefined,
  },
  WAWebMsgKey: MsgKey,
  WAWebMsgReply: { canReplyMsg: () => true },
  WAWebOfflineHandler: { OfflineMessageHandler: { getOfflineDeliveryProgress: () => 100 } },
  WAWebPrepRawMedia: { prepRawMedia },
  WAWebSignalStoreApi: {
    waSignalStore: { getRegistrationInfo: async () => ({ identityKeyPair: { pubKey: new Uint8Array(32) } }) },
  },
  WAWebStartMediaUploadQpl: { startMediaUploadQpl: doNothing },
  WAWebStreamModel: { Stream: { markAvailable: doNothing, markUnavailable: doNothing } },
  WAWebSyncGatingUtils: {},
  WAWebUploadManager: { encryptAndUpload },
  WAWebUserPrefsInfoStore: { waNoiseInfo: { get: async () => ({ staticKeyPair: { pubKey: new Uint8Array(32) } }) } },
  WAWebUserPrefsMultiDevice: { getADVSecretKey: () => btoa('a secret of the stand-in') },
  WAWebVcardGetNameFromParsed: { vcardGetNameFromParsed: (name: string) => name },
  WAWebVcardParsingUtils: { parseVcard: (card: string) => /^FN:(.*)$/m.exec(card)?.[1]?.trim() },
  WAWebWidFactory: { createWid: createWid, createWidFromWidLike: createWid, asUserWidOrThrow: createWid },
}

/** Of a message to a chat in which they vanish. */
function getEphemeralFields(chat: ChatModel): ModelFields {
  const ephemeralDuration = Number(chat.loaded.at(-1)?.fields.ephemeralDuration ?? 0)
  return ephemeralDuration > 0 ? { ephemeralDuration } : {}
}
