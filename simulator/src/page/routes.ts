// Everything under /simulator: the page, its live stream, the calls it makes, the files in its chats.
import { pageFile } from './bundle.ts'
import { burst } from './burst.ts'
import { bringCrowd, crowdSheet } from './crowd.ts'
import type { Hub } from './hub.ts'
import { CannotDo, type Line, type UploadedFile } from './line.ts'
import type { Frame, Network, Sending } from './model.ts'
import { newPerson } from './people.ts'
import { CompanyPagePhone, type PagePhone } from './phones.ts'
import { flagIn, isRecord, networkIn, readFacts, readSending, textIn } from './request.ts'

const ROOT = '/simulator'
const KEEP_ALIVE_MS = 8000

/** Answers one request under /simulator; 404 for anything else. */
export async function handlePage(hub: Hub, req: Request): Promise<Response> {
  const { pathname } = new URL(req.url)
  if (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`)) return notFound()
  // Other sites must not play with the phones from a visitor's browser.
  if (req.headers.get('sec-fetch-site') === 'cross-site' && req.method !== 'GET')
    return new Response(null, { status: 403 })
  const path = pathname.slice(ROOT.length + 1)
  try {
    if (path.startsWith('api/')) return await api(hub, req, path.slice(4).split('/').map(decodeURIComponent))
    if (path.startsWith('media/')) return await media(hub, path.slice(6).split('/').map(decodeURIComponent))
    return (await pageFile(path)) ?? notFound()
  } catch (error) {
    const message = error instanceof CannotDo ? error.message : mistake(error)
    if (message) return Response.json({ error: 'ERR_SIMULATOR', message }, { status: 409 })
    return Response.json({ error: 'ERR_SIMULATOR', message: `Não deu certo: ${String(error)}` }, { status: 500 })
  }
}

async function api(hub: Hub, req: Request, [what = '', id = '', ...rest]: string[]): Promise<Response> {
  const call = `${req.method} ${what}`
  if (call === 'GET state') return Response.json(hub.state())
  if (call === 'GET events') return stream(hub, req)
  if (call === 'PUT network') {
    const network = networkIn(await json(req))
    await Promise.all(hub.customers.map(phone => setNetwork(hub, phone, network)))
    return done()
  }
  if (call === 'POST burst') {
    const body = await json(req)
    burst(hub, isRecord(body) && typeof body.count === 'number' ? Math.min(1000, body.count) : 50)
    return done()
  }
  if (call === 'POST crowd') {
    bringCrowd(hub)
    return done()
  }
  if (call === 'GET crowd.csv') return crowdSheet()
  if (call === 'POST phones' && !id) {
    const phone = hub.customer(newPerson(hub, textIn(await json(req), 'name', true)))
    phone.open = hub.customers[0]?.open
    return Response.json(phone.view(), { status: 201 })
  }
  const phone = hub.phones.get(id)
  if (what !== 'phones' || !phone) return notFound()
  await onPhone(hub, phone, req, rest)
  hub.touch(phone)
  return done()
}

async function onPhone(
  hub: Hub,
  phone: PagePhone,
  req: Request,
  [what = '', id = '', part = '']: string[],
): Promise<unknown> {
  switch (`${req.method} ${what}${id ? '/' : ''}${part}`) {
    case 'POST open': {
      const body = await json(req)
      phone.open = isRecord(body) && body.chat === null ? undefined : textIn(body, 'chat')
      return undefined
    }
    case 'POST messages':
      return send(phone, readSending(await json(req)))
    case 'POST files':
      return openLine(phone).sendFile(await fileIn(req))
    case 'PUT messages/':
      return openLine(phone).edit(id, textIn(await json(req), 'text'))
    case 'DELETE messages/':
      return openLine(phone).remove(id)
    case 'POST messages/reaction':
      return openLine(phone).react(id, textIn(await json(req), 'emoji', true))
    case 'POST messages/played':
      return openLine(phone).played(id)
    case 'POST read':
      return openLine(phone).read()
    case 'POST typing': {
      const state = textIn(await json(req), 'state')
      return openLine(phone).showTyping(state === 'composing' || state === 'recording' ? state : 'paused')
    }
    case 'POST call': {
      const body = await json(req)
      return openLine(phone).call(isRecord(body) && body.video === true)
    }
    case 'PUT network':
      return setNetwork(hub, phone, networkIn(await json(req)))
    case 'PUT block':
      return openLine(phone).block(flagIn(await json(req), 'on'))
    case 'PUT whatsapp':
      return phone.setWhatsApp(flagIn(await json(req), 'on'))
    case 'POST scan':
      return companyOf(phone).whatsapp.scan(textIn(await json(req), 'qr'))
    case 'POST pair':
      return companyOf(phone).whatsapp.enterCode(textIn(await json(req), 'code').toUpperCase())
    case 'DELETE devices/': {
      const { whatsapp } = companyOf(phone)
      const device = whatsapp.linked.find(one => String(one.device) === id)
      if (!device) throw new CannotDo('Este aparelho já não está conectado.')
      return whatsapp.logOut(device)
    }
    default:
      throw new CannotDo(`Não há ${req.method} ${what} em um telefone.`)
  }
}

async function setNetwork(hub: Hub, phone: PagePhone, network: Network): Promise<void> {
  await phone.setNetwork(network)
  hub.touch(phone)
}

function send(phone: PagePhone, sending: Sending): Promise<unknown> {
  return openLine(phone).send(sending)
}

function openLine(phone: PagePhone): Line {
  const line = phone.line(phone.open)
  if (!line) throw new CannotDo('Abra uma conversa neste telefone primeiro.')
  return line
}

function companyOf(phone: PagePhone): CompanyPagePhone {
  if (phone instanceof CompanyPagePhone) return phone
  throw new CannotDo('Só o celular da empresa conecta aparelhos.')
}

async function fileIn(req: Request): Promise<UploadedFile> {
  const form = await req.formData()
  const file = form.get('file')
  if (!(file instanceof Blob)) throw new CannotDo('Falta o arquivo.')
  return { ...readFacts(JSON.parse(String(form.get('facts')))), bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function media(hub: Hub, [phone = '', line = '', id = '']: string[]): Promise<Response> {
  const file = await hub.phones.get(phone)?.line(line)?.file(id)
  if (!file) return notFound()
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
function stream(hub: Hub, req: Request): Response {
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

async function json(req: Request): Promise<unknown> {
  const text = await req.text()
  return text ? JSON.parse(text) : {}
}

/** What a phone would say to its owner's mistakes; the network's own errors are in English and for developers. */
function mistake(error: unknown): string | undefined {
  const text = String(error)
  if (/renewed|out of date/.test(text)) return 'O código foi renovado. Leia o mais novo.'
  if (/No client shows/.test(text)) return 'Este código já não está em nenhuma tela. Peça um novo em Conexões.'
  if (/not the QR/.test(text)) return 'Isto não é um código de aparelho conectado.'
  if (/code/i.test(text)) return 'O código não confere. Veja o que está na tela e digite de novo.'
  return undefined
}

function done(): Response {
  return new Response(null, { status: 204 })
}

function notFound(): Response {
  return Response.json({ error: 'ERR_NOT_FOUND', message: 'Não há nada aqui.' }, { status: 404 })
}
