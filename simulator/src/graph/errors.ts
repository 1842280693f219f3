// Errors as the Graph API words them. Callers build on `code`; titles change without notice.

interface GraphErrorText {
  status: number
  title: string
  details: string
}

/** The codes the double can answer or report, with Meta's title and a usual explanation. */
export const GRAPH_ERRORS = {
  4: {
    status: 400,
    title: 'Application request limit reached',
    details: 'The app has reached its API call rate limit.',
  },
  100: {
    status: 400,
    title: 'Invalid parameter',
    details: 'The request included one or more unsupported or misspelled parameters.',
  },
  190: {
    status: 401,
    title: 'Error validating access token',
    details: 'The access token could not be decrypted or has expired.',
  },
  80007: {
    status: 400,
    title: 'Rate limit issues',
    details: 'The WhatsApp Business Account has reached its rate limit.',
  },
  130429: { status: 400, title: 'Rate limit hit', details: 'Cloud API message throughput has been reached.' },
  131000: { status: 500, title: 'Something went wrong', details: 'Message failed to send due to an unknown error.' },
  131008: {
    status: 400,
    title: 'Required parameter is missing',
    details: 'The request is missing a required parameter.',
  },
  131009: { status: 400, title: 'Parameter value is not valid', details: 'One or more parameter values are invalid.' },
  131026: {
    status: 400,
    title: 'Message undeliverable',
    details: 'Unable to deliver message: the recipient is not a WhatsApp user or cannot receive it.',
  },
  131047: {
    status: 400,
    title: 'Re-engagement message',
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
  131048: {
    status: 400,
    title: 'Spam rate limit hit',
    details:
      'Message failed to send because there are restrictions on how many messages can be sent from this phone number.',
  },
  131049: {
    status: 400,
    title: 'Meta chose not to deliver',
    details: 'This message was not delivered to maintain healthy ecosystem engagement.',
  },
  131060: { status: 400, title: 'This message is unavailable', details: 'This message is currently unavailable.' },
  131051: { status: 400, title: 'Message type unknown', details: 'Message type is currently not supported.' },
  131052: { status: 400, title: 'Media download error', details: 'Unable to download the media sent by the user.' },
  131053: { status: 400, title: 'Media upload error', details: 'Unable to upload the media used in the message.' },
  131056: {
    status: 400,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details: 'Too many messages sent from this phone number to the same recipient in a short period of time.',
  },
  132000: {
    status: 400,
    title: 'Number of parameters does not match the expected number of params',
    details: 'The number of parameters does not match the template.',
  },
  132001: {
    status: 404,
    title: 'Template name does not exist in the translation',
    details: 'The template does not exist in the specified language or has not been approved.',
  },
  132012: {
    status: 400,
    title: 'Parameter format does not match format in the created template',
    details: 'Variable parameter values are formatted incorrectly.',
  },
  132015: {
    status: 400,
    title: 'Template is paused',
    details: 'Template is paused due to low quality and cannot be sent.',
  },
  132016: {
    status: 400,
    title: 'Template is disabled',
    details: 'Template has been paused too many times and is permanently disabled.',
  },
  133010: {
    status: 400,
    title: 'Account not registered',
    details: 'Phone number is not registered on the WhatsApp Business Platform.',
  },
} satisfies Record<number, GraphErrorText>

export type GraphCode = keyof typeof GRAPH_ERRORS

/** A refused call; `answer()` is the body Meta would send. */
export class GraphCallError extends Error {
  readonly code: GraphCode
  readonly details: string
  readonly subcode: number | undefined

  constructor(code: GraphCode, details: string = GRAPH_ERRORS[code].details, subcode?: number) {
    super(details)
    this.code = code
    this.details = details
    this.subcode = subcode
  }

  get status(): number {
    return this.subcode === 33 ? 404 : GRAPH_ERRORS[this.code].status
  }

  answer() {
    return {
      error: {
        message: `(#${this.code}) ${GRAPH_ERRORS[this.code].title}`,
        type: 'OAuthException',
        code: this.code,
        ...(this.subcode === undefined ? {} : { error_subcode: this.subcode }),
        error_data: { messaging_product: 'whatsapp', details: this.details },
        fbtrace_id: `A${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`,
      },
    }
  }
}

/** The entry of `errors[]` in a failed status or an unsupported message. */
export function createWebhookError(code: GraphCode, details: string = GRAPH_ERRORS[code].details) {
  const title = GRAPH_ERRORS[code].title
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}
