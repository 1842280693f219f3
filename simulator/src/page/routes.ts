// Everything under /simulator: the page, its live stream, the calls it makes, the files in its chats.
import { readPageFile } from './bundle.ts'
import { sendBurst } from './burst.ts'
import { bringCrowd, createCrowdSheet } from './crowd.ts'
import type { PhoneHub } from './hub.ts'
import { ActionError, type PhoneLine, type UploadedFile } from './line.ts'
import type { Frame, Network, SendRequestBody } from './model.ts'
import { createPerson } from './people.ts'
import { CompanyPagePhone, type PagePhone } from './phones.ts'
import { isRecord, readFacts, readFlag, readNetwork, readSending, readText } from './request.ts'

const ROOT = '/simulator'
const KEEP_ALIVE_MS = 8000

/** Answers one request under /simulator; 404 for anything else. */
export async function handlePage(hub: PhoneHub, req: Request): Promise<Response> {
  const { pathname } = new URL(req.url)
  if (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`)) return createNotFound()
  // Other sites must not play with the phones from a visitor's browser.
  if (req.headers.get('sec-fetch-site') === 'cross-site' && req.method !== 'GET')
    return new Response(null, { status: 403 })
  const path = pathname.slice(ROOT.length + 1)
  try {
    if (path.startsWith('api/')) return await handleApi(hub, req, path.slice(4).split('/').map(decodeURIComponent))
    if (path.startsWith('media/')) return await serveMedia(hub, path.slice(6).split('/').map(decodeURIComponent))
    return (await readPageFile(path)) ?? createNotFound()
  } catch (error) {
    const message = error instanceof ActionError ? error.message : findMistake(error)
    if (message) return Response.json({ error: 'ERR_SIMULATOR', message }, { status: 409 })
    return Response.json({ error: 'ERR_SIMULATOR', message: `Não deu certo: ${String(error)}` }, { status: 500 })
  }
}

async function handleApi(hub: PhoneHub, req: Request, [resource = '', id = '', ...rest]: string[]): Promise<Response> {
  const call = `${req.method} ${resource}`
  if (call === 'GET state') return Response.json(hub.state())
  if (call === 'GET events') return stream(hub, req)
  if (call === 'PUT network') {
    const network = readNetwork(await readJson(req))
    await Promise.all(hub.customers.map(phone => setNetwork(hub, phone, network)))
    return createEmptyResponse()
  }
  if (call === 'POST burst') {
    const body = await readJson(req)
    sendBurst(hub, isRecord(body) && typeof body.count === 'number' ? Math.min(1000, body.count) : 50)
    return createEmptyResponse()
  }
  if (call === 'POST crowd') {
    bringCrowd(hub)
    return createEmptyResponse()
  }
  if (call === 'GET crowd.csv') return createCrowdSheet()
  if (call === 'POST phones' && !id) {
    const phone = hub.customer(createPerson(hub, readText(await readJson(req), 'name', true)))
    phone.open = hub.customers[0]?.open
    return Response.json(phone.view(), { status: 201 })
  }
  const phone = hub.phones.get(id)
  if (resource !== 'phones' || !phone) return createNotFound()
  await handlePhone(hub, phone, req, rest)
  hub.touch(phone)
  return createEmptyResponse()
}

async function handlePhone(
  hub: PhoneHub,
  phone: PagePhone,
  req: Request,
  [resource = '', id = '', part = '']: string[],
): Promise<unknown> {
  switch (`${req.method} ${resource}${id ? '/' : ''}${part}`) {
    case 'POST open': {
      const body = await readJson(req)
      phone.open = isRecord(body) && body.chat === null ? undefined : readText(body, 'chat')
      return undefined
    }
    case 'POST messages':
      return send(phone, readSending(await readJson(req)))
    case 'POST files':
      return openLine(phone).sendFile(await readFile(req))
    case 'PUT messages/':
      return openLine(phone).edit(id, readText(await readJson(req), 'text'))
    case 'DELETE messages/':
      return openLine(phone).remove(id)
    case 'POST messages/reaction':
      return openLine(phone).react(id, readText(await readJson(req), 'emoji', true))
    case 'POST messages/played':
      return openLine(phone).played(id)
    case 'POST read':
      return openLine(phone).read()
    case 'POST typing': {
      const state = readText(await readJson(req), 'state')
      return openLine(phone).showTyping(state === 'composing' || state === 'recording' ? state : 'paused')
    }
    case 'POST call': {
      const body = await readJson(req)
      return openLine(phone).call(isRecord(body) && body.video === true)
    }
    case 'PUT network':
      return setNetwork(hub, phone, readNetwork(await readJson(req)))
    case 'PUT block':
      return openLine(phone).block(readFlag(await readJson(req), 'on'))
    case 'PUT whatsapp':
      return phone.setWhatsApp(readFlag(await readJson(req), 'on'))
    case 'POST scan':
      return requireCompany(phone).whatsapp.scan(readText(await readJson(req), 'qr'))
    case 'POST pair':
      return requireCompany(phone).whatsapp.enterCode(readText(await readJson(req), 'code').toUpperCase())
    case 'DELETE devices/': {
      const { whatsapp } = requireCompany(phone)
      const device = whatsapp.linked.find(one => String(one.device) === id)
      if (!device) throw new ActionError('Este aparelho já não está conectado.')
      return whatsapp.logOut(device)
    }
    default:
      throw new ActionError(`Não há ${req.method} ${resource} em um telefone.`)
  }
}

async function setNetwork(hub: PhoneHub, phone: PagePhone, network: Network): Promise<void> {
  await phone.setNetwork(network)
  hub.touch(phone)
}

function send(phone: PagePhone, sending: SendRequestBody): Promise<unknown> {
  return openLine(phone).send(sending)
}

function openLine(phone: PagePhone): PhoneLine {
  const line = phone.line(phone.open)
  if (!line) throw new ActionError('Abra uma conversa neste telefone primeiro.')
  return line
}

function requireCompany(phone: PagePhone): CompanyPagePhone {
  if (phone instanceof CompanyPagePhone) return phone
  throw new ActionError('Só o celular da empresa conecta aparelhos.')
}

async function readFile(req: Request): Promise<UploadedFile> {
  const form = await req.formData()
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new ActionError('Falta o arquivo.')
  return { ...readFacts(JSON.parse(String(form.get('facts')))), bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function serveMedia(hub: PhoneHub, [phone = '', line = '', id = '']: string[]): Promise<Response> {
  const file = await hub.phones.get(phone)?.line(line)?.file(id)
  if (!file) return createNotFound()
  const showable = /^(image\/(?!svg)|audio\/|video\/)/.test(file.mime)
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'content-type': showable ? file.mime : 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
      ...(showable ? {} : { 'content-disposition': 'attachment' }),
    },
  })
}

/** Server-sent events; a comment now and then keeps proxies from closing the stream. */
function stream(hub: PhoneHub, req: Request): Response {
  const encoder = new TextEncoder()
  let close = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const leave = hub.open((frame: Frame) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(frame)}\n\n`)))
      const alive = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), KEEP_ALIVE_MS)
      close = () => {
        clearInterval(alive)
        leave()
      }
      req.signal.addEventListener('abort', close)
    },
    cancel: () => close(),
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

async function readJson(req: Request): Promise<unknown> {
  const text = await req.text()
  return text ? JSON.parse(text) : {}
}

/** What a phone would say to its owner's mistakes; the network's own errors are in English and for developers. */
function findMistake(error: unknown): string | undefined {
  const text = String(error)
  if (/renewed|out of date/.test(text)) return 'O código foi renovado. Leia o mais novo.'
  if (/No client shows/.test(text)) return 'Este código já não está em nenhuma tela. Peça um novo em Conexões.'
  if (/not the QR/.test(text)) return 'Isto não é um código de aparelho conectado.'
  if (/code/i.test(text)) return 'O código não confere. Veja o que está na tela e digite de novo.'
  return undefined
}

function createEmptyResponse(): Response {
  return new Response(null, { status: 204 })
}

function createNotFound(): Response {
  return Response.json({ error: 'ERR_NOT_FOUND', message: 'Não há nada aqui.' }, { status: 404 })
}
