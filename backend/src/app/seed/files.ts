// The files of the demo's conversations: made here, so that none has to lie in the repository.
import { crc32, deflateSync } from 'node:zlib'
import { toMediaKind } from '../../desk/media/file-type.ts'
import { storeMedia } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { NO_SOUND } from '../../desk/media/to-send.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../policy/users/table.ts'
import { COMPANY } from './company.ts'

export type SeedFiles = ReadonlyMap<string, FileToSend>

/** Stores the files of all conversations, by name; none where there are people already. */
export async function seedFiles(db: Db, dataDir: string): Promise<SeedFiles> {
  const files = new Map<string, FileToSend>()
  if ((await db.$count(users)) > 0) return files
  for (const { file } of COMPANY.tickets.flatMap(ticket => ticket.lines)) {
    if (!file) continue
    const { name, color } = file
    const stream = new Blob([makeFile(name, color)]).stream()
    const { id, ...stored } = await storeMedia({ db, dataDir }, stream, { name, most: 10_000_000 })
    files.set(name, { ...stored, mediaId: id, mediaType: toMediaKind(stored.mime), ...NO_SOUND })
  }
  return files
}

type Color = readonly [number, number, number]
/** The colour of the table under a photographed paper. */
const TABLE: Color = [180, 140, 90]

/** A picture where the name says so, otherwise a document. */
export function makeFile(name: string, color = TABLE): Uint8Array<ArrayBuffer> {
  return name.endsWith('.png') ? makePicture(color) : makeDocument(name)
}

const WIDTH = 640
const HEIGHT = 480

/** A PNG: a sheet of paper with lines on a table of this colour. */
function makePicture([red, green, blue]: Color): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const light = 1 - (x + y) / (WIDTH + HEIGHT) / 2.5
      const onPaper = Math.abs(x - WIDTH / 2 - (y - HEIGHT / 2) * 0.08) < 180 && y > 50 && y < HEIGHT - 40
      const onLine = onPaper && (y - 90) % 34 < 9 && y > 88 && Math.abs(x - WIDTH / 2) < 130
      const dot = onLine ? [92, 98, 112] : onPaper ? [250, 248, 243] : [red * light, green * light, blue * light]
      rows.set(dot, y * (WIDTH * 3 + 1) + 1 + x * 3)
    }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(WIDTH, 0)
  size.writeUInt32BE(HEIGHT, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PDF of one page with its name on it. */
function makeDocument(name: string): Uint8Array<ArrayBuffer> {
  const text = `BT /F1 20 Tf 60 760 Td (${name.replace(/[()\\]/g, '')}) Tj ET`
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${text.length}>>stream
${text}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`)
}
