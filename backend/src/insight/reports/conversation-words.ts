// The words of the desk in a report of conversations; what was said stays as it was said, and lines about a ticket as they were written.
import type { Language, MediaType, NoticeCode } from '@balcao/contract'

export interface ConversationWords {
  readonly kinds: Readonly<Partial<Record<MediaType, string>>>
  readonly ticket: (number: number) => string
  readonly part: (number: number, parts: number) => string
  readonly noQueue: string
  readonly nobody: string
  readonly until: (from: string, to: string) => string
  readonly since: (from: string) => string
  readonly customer: string
  readonly deleted: string
  readonly edited: string
  readonly editedOnPhone: string
  readonly automatic: string
  readonly forwarded: string
  readonly forwardedOften: string
  readonly transcription: string
  readonly notSent: string
  readonly unsure: string
  readonly waiting: string
  readonly missedCall: string
  readonly notFetched: string
  readonly duration: (clock: string) => string
  readonly each: (price: string) => string
  readonly number: (id: string) => string
  readonly code: (code: string) => string
  readonly reference: (reference: string) => string
  readonly items: (count: number) => string
  readonly payment: Readonly<Record<'asked' | 'paid' | 'declined' | 'canceled', string>>
  readonly eventCanceled: string
  readonly pollOne: string
  readonly pollMany: string
  readonly pixKey: string
  readonly noName: string
  readonly origin: Readonly<Record<'ad' | 'post' | 'product', string>>
  readonly notices: Readonly<Record<NoticeCode, string>>
  readonly empty: string
  /** The heads of the sheet. */
  readonly columns: readonly string[]
}

const PT: ConversationWords = {
  kinds: {
    image: 'Foto',
    audio: 'Áudio',
    video: 'Vídeo',
    application: 'Documento',
    sticker: 'Figurinha',
    location: 'Localização',
    vcard: 'Contato',
    contact_array: 'Contatos',
    call_log: 'Chamada perdida',
    template: 'Modelo',
    order: 'Pedido',
    product: 'Produto',
    payment: 'Pagamento',
    event: 'Evento',
    poll: 'Enquete',
    form: 'Formulário',
    system: 'Aviso',
    unknown: 'Mensagem que não aparece aqui',
  },
  ticket: number => `Atendimento ${number}`,
  part: (number, parts) => `parte ${number} de ${parts}`,
  noQueue: 'Sem fila',
  nobody: 'Sem atendente',
  until: (from, to) => `de ${from} a ${to}`,
  since: from => `desde ${from}`,
  customer: 'Cliente',
  deleted: 'Mensagem apagada',
  edited: 'Editada',
  editedOnPhone: 'Editada: veja no celular',
  automatic: 'Mensagem automática',
  forwarded: 'Encaminhada',
  forwardedOften: 'Encaminhada muitas vezes',
  transcription: 'Transcrição',
  notSent: 'Não enviada',
  unsure: 'Não se sabe se saiu',
  waiting: 'Ainda não saiu',
  missedCall: 'Chamada perdida',
  notFetched: 'Arquivo não baixado',
  duration: clock => `duração ${clock}`,
  each: price => `${price} cada`,
  number: id => `Nº ${id}`,
  code: code => `Código ${code}`,
  reference: reference => `Referência ${reference}`,
  items: count => (count === 1 ? '1 item' : `${count} itens`),
  payment: {
    asked: 'Cobrança',
    paid: 'Pagamento feito',
    declined: 'Pagamento recusado',
    canceled: 'Pagamento cancelado',
  },
  eventCanceled: 'Evento cancelado',
  pollOne: 'Escolhe-se uma opção',
  pollMany: 'Podem-se escolher várias',
  pixKey: 'Chave Pix',
  noName: 'Sem nome',
  origin: { ad: 'Veio de um anúncio', post: 'Veio de uma publicação', product: 'Sobre um produto' },
  notices: {
    new_kind: 'Mensagem de um tipo novo.',
    only_on_phone: 'Conteúdo só no celular.',
    view_once: 'Foto, vídeo ou áudio de visualização única.',
    code_on_phone: 'Código enviado: veja no celular.',
    payment_on_phone: 'Pagamento: veja no celular.',
    not_for_companies: 'O cliente enviou algo que contas de empresa não recebem.',
    missing: 'Esta mensagem não chegou inteira.',
    calls_allowed: 'O cliente aceita receber chamadas.',
    calls_refused: 'O cliente não quer receber chamadas.',
    edited_unseen: 'O cliente editou uma mensagem. O texto novo não chegou aqui.',
  },
  empty: 'Não há mensagens neste período.',
  columns: [
    'Atendimento',
    'Fila',
    'Data',
    'Hora',
    'De',
    'Pessoa',
    'Tipo',
    'Mensagem',
    'Transcrição',
    'Arquivo',
    'Tamanho',
    'Situação',
  ],
}

const EN: ConversationWords = {
  kinds: {
    image: 'Photo',
    audio: 'Audio',
    video: 'Video',
    application: 'Document',
    sticker: 'Sticker',
    location: 'Location',
    vcard: 'Contact',
    contact_array: 'Contacts',
    call_log: 'Missed call',
    template: 'Template',
    order: 'Order',
    product: 'Product',
    payment: 'Payment',
    event: 'Event',
    poll: 'Poll',
    form: 'Form',
    system: 'Notice',
    unknown: 'Message that cannot be shown here',
  },
  ticket: number => `Ticket ${number}`,
  part: (number, parts) => `part ${number} of ${parts}`,
  noQueue: 'No queue',
  nobody: 'Nobody',
  until: (from, to) => `from ${from} to ${to}`,
  since: from => `since ${from}`,
  customer: 'Customer',
  deleted: 'Message deleted',
  edited: 'Edited',
  editedOnPhone: 'Edited: see the phone',
  automatic: 'Automatic message',
  forwarded: 'Forwarded',
  forwardedOften: 'Forwarded many times',
  transcription: 'Transcription',
  notSent: 'Not sent',
  unsure: 'Nobody knows if it was sent',
  waiting: 'Not sent yet',
  missedCall: 'Missed call',
  notFetched: 'File not downloaded',
  duration: clock => `length ${clock}`,
  each: price => `${price} each`,
  number: id => `No. ${id}`,
  code: code => `Code ${code}`,
  reference: reference => `Reference ${reference}`,
  items: count => (count === 1 ? '1 item' : `${count} items`),
  payment: { asked: 'Charge', paid: 'Payment made', declined: 'Payment declined', canceled: 'Payment cancelled' },
  eventCanceled: 'Event cancelled',
  pollOne: 'One option may be chosen',
  pollMany: 'Several may be chosen',
  pixKey: 'Pix key',
  noName: 'No name',
  origin: { ad: 'Came from an advertisement', post: 'Came from a post', product: 'About a product' },
  notices: {
    new_kind: 'A message of a new kind.',
    only_on_phone: 'Only on the phone.',
    view_once: 'A photo, video or audio to be seen once.',
    code_on_phone: 'A code was sent: see the phone.',
    payment_on_phone: 'A payment: see the phone.',
    not_for_companies: 'The customer sent something that company accounts do not get.',
    missing: 'This message did not arrive whole.',
    calls_allowed: 'The customer accepts calls.',
    calls_refused: 'The customer does not want calls.',
    edited_unseen: 'The customer edited a message. Its new text did not come here.',
  },
  empty: 'There are no messages in this period.',
  columns: [
    'Ticket',
    'Queue',
    'Date',
    'Time',
    'From',
    'Person',
    'Kind',
    'Message',
    'Transcription',
    'File',
    'Size',
    'State',
  ],
}

const ES: ConversationWords = {
  kinds: {
    image: 'Foto',
    audio: 'Audio',
    video: 'Video',
    application: 'Documento',
    sticker: 'Sticker',
    location: 'Ubicación',
    vcard: 'Contacto',
    contact_array: 'Contactos',
    call_log: 'Llamada perdida',
    template: 'Plantilla',
    order: 'Pedido',
    product: 'Producto',
    payment: 'Pago',
    event: 'Evento',
    poll: 'Encuesta',
    form: 'Formulario',
    system: 'Aviso',
    unknown: 'Mensaje que no aparece aquí',
  },
  ticket: number => `Atención ${number}`,
  part: (number, parts) => `parte ${number} de ${parts}`,
  noQueue: 'Sin fila',
  nobody: 'Sin agente',
  until: (from, to) => `de ${from} a ${to}`,
  since: from => `desde ${from}`,
  customer: 'Cliente',
  deleted: 'Mensaje eliminado',
  edited: 'Editado',
  editedOnPhone: 'Editado: véalo en el teléfono',
  automatic: 'Mensaje automático',
  forwarded: 'Reenviado',
  forwardedOften: 'Reenviado muchas veces',
  transcription: 'Transcripción',
  notSent: 'No enviado',
  unsure: 'No se sabe si salió',
  waiting: 'Aún no salió',
  missedCall: 'Llamada perdida',
  notFetched: 'Archivo no descargado',
  duration: clock => `duración ${clock}`,
  each: price => `${price} cada uno`,
  number: id => `N.º ${id}`,
  code: code => `Código ${code}`,
  reference: reference => `Referencia ${reference}`,
  items: count => (count === 1 ? '1 artículo' : `${count} artículos`),
  payment: { asked: 'Cobro', paid: 'Pago hecho', declined: 'Pago rechazado', canceled: 'Pago cancelado' },
  eventCanceled: 'Evento cancelado',
  pollOne: 'Se elige una opción',
  pollMany: 'Se pueden elegir varias',
  pixKey: 'Clave Pix',
  noName: 'Sin nombre',
  origin: { ad: 'Vino de un anuncio', post: 'Vino de una publicación', product: 'Sobre un producto' },
  notices: {
    new_kind: 'Mensaje de un tipo nuevo.',
    only_on_phone: 'Contenido solo en el teléfono.',
    view_once: 'Foto, video o audio de una sola vista.',
    code_on_phone: 'Código enviado: véalo en el teléfono.',
    payment_on_phone: 'Pago: véalo en el teléfono.',
    not_for_companies: 'El cliente envió algo que las cuentas de empresa no reciben.',
    missing: 'Este mensaje no llegó entero.',
    calls_allowed: 'El cliente acepta llamadas.',
    calls_refused: 'El cliente no quiere llamadas.',
    edited_unseen: 'El cliente editó un mensaje. El texto nuevo no llegó aquí.',
  },
  empty: 'No hay mensajes en este período.',
  columns: [
    'Atención',
    'Fila',
    'Fecha',
    'Hora',
    'De',
    'Persona',
    'Tipo',
    'Mensaje',
    'Transcripción',
    'Archivo',
    'Tamaño',
    'Estado',
  ],
}

export const CONVERSATION_WORDS: Readonly<Record<Language, ConversationWords>> = { pt: PT, en: EN, es: ES }
