// Files to look at, made here: pictures drawn by the browser, a recording, a film, papers.
import type { Browser } from 'playwright-core'

export interface Files {
  readonly bread: Uint8Array<ArrayBuffer>
  readonly truck: Uint8Array<ArrayBuffer>
  readonly shop: Uint8Array<ArrayBuffer>
  readonly sticker: Uint8Array<ArrayBuffer>
  readonly voice: Uint8Array<ArrayBuffer>
  readonly video: Uint8Array<ArrayBuffer>
  readonly pdf: Uint8Array<ArrayBuffer>
  readonly sheet: Uint8Array<ArrayBuffer>
}

export async function drawFiles(browser: Browser): Promise<Files> {
  const page = await browser.newPage({ viewport: { width: 900, height: 675 } })
  // Shapes, no emoji: not every machine has letters for those.
  const picture = async (from: string, to: string, shape: string, clear = false) => {
    await page.setContent(
      `<body style="margin:0"><svg viewBox="0 0 900 675" width="900" height="675"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>${clear ? '' : '<rect width="900" height="675" fill="url(#g)"/>'}${shape}</svg>`,
    )
    return new Uint8Array(await page.screenshot({ omitBackground: clear }))
  }
  const bread = await picture(
    '#e9c98f',
    '#a8672c',
    '<g fill="#7a4316">' +
      '<ellipse cx="320" cy="380" rx="220" ry="90"/><ellipse cx="590" cy="330" rx="220" ry="90"/></g>' +
      '<g stroke="#e3b779" stroke-width="14">' +
      '<path d="M220 340l40 70M300 320l40 80M380 330l40 70M500 290l40 70M580 270l40 80M660 280l40 70"/></g>',
  )
  const truck = await picture(
    '#bcd8ee',
    '#3d6a94',
    '<rect x="150" y="220" width="400" height="240" rx="18" fill="#f3efe6"/>' +
      '<path d="M560 300h130l80 90v70H560z" fill="#d0702f"/>' +
      '<g fill="#1c2333"><circle cx="270" cy="470" r="52"/><circle cx="650" cy="470" r="52"/></g>',
  )
  const shop = await picture(
    '#f1d7c2',
    '#b06a54',
    '<rect x="200" y="280" width="500" height="280" fill="#f8f2ea"/>' +
      '<path d="M170 200h560l40 100H130z" fill="#2c53a4"/><rect x="420" y="380" width="110" height="180" fill="#7a4316"/>',
  )
  const sticker = await picture(
    '',
    '',
    '<circle cx="450" cy="337" r="260" fill="#f0b23a"/>' +
      '<path d="M330 370q120 130 240 0" stroke="#3a2600" stroke-width="30" fill="none" stroke-linecap="round"/>' +
      '<circle cx="360" cy="270" r="28"/><circle cx="540" cy="270" r="28"/>',
    true,
  )
  const film = await page.evaluate(record)
  await page.close()
  return {
    bread,
    truck,
    shop,
    sticker,
    voice: makeTone(6),
    video: decodeBase64(film),
    pdf: makePdf(),
    sheet: makeSheet(),
  }
}

/** A second of a drawing that moves, as base64; runs in the page. */
async function record(): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = 640
  canvas.height = 360
  const draw = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
  const parts: Blob[] = []
  recorder.ondataavailable = event => parts.push(event.data)
  const done = new Promise(resolve => {
    recorder.onstop = resolve
  })
  recorder.start()
  for (let at = 0; at < 25; at++) {
    if (draw) {
      draw.fillStyle = '#8a4b2a'
      draw.fillRect(0, 0, 640, 360)
      draw.fillStyle = '#f0b23a'
      draw.fillRect(at * 20, 140, 120, 80)
    }
    await new Promise(resolve => requestAnimationFrame(resolve))
  }
  recorder.stop()
  await done
  const data = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(String.fromCharCode(...data))
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

/** A low hum as WAV. */
function makeTone(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8000
  const length = seconds * rate
  const file = Buffer.alloc(44 + length, 128)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + length, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(length, 40)
  for (let at = 0; at < length; at++) file[44 + at] = 128 + Math.round(60 * Math.sin((at / rate) * 880))
  return new Uint8Array(file)
}

function makePdf(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`%PDF-1.4\n${'% tabela de precos\n'.repeat(9000)}%%EOF\n`))
}

function makeSheet(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`produto;caixas\n${'farinha especial;20\n'.repeat(300)}`))
}
