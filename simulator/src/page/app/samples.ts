// Ready-made things to send, drawn here: the photo of a payment slip on a table, a sticker, an order as PDF.

export async function drawPhoto(): Promise<Blob> {
  const [canvas, pen] = createCanvas(1200, 900)
  drawTable(pen)
  pen.save()
  pen.translate(600, 470)
  pen.rotate(-0.11)
  drawSlip(pen)
  pen.restore()
  pen.fillStyle = '#c98a63'
  pen.beginPath()
  pen.ellipse(1150, 800, 150, 90, -0.6, 0, Math.PI * 2)
  pen.fill()
  pen.fillStyle = '#e3b593'
  pen.beginPath()
  pen.ellipse(1078, 762, 44, 30, -0.6, 0, Math.PI * 2)
  pen.fill()
  return toBlob(canvas, 'image/jpeg')
}

/** A quarter as wide. */
export async function shrinkPicture(picture: Blob): Promise<Blob> {
  const image = await createImageBitmap(picture)
  const [canvas, pen] = createCanvas(image.width / 4, image.height / 4)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return toBlob(canvas, 'image/jpeg')
}

function drawTable(pen: CanvasRenderingContext2D): void {
  const wood = pen.createLinearGradient(0, 0, 1200, 900)
  wood.addColorStop(0, '#a66f3f')
  wood.addColorStop(1, '#82502a')
  pen.fillStyle = wood
  pen.fillRect(0, 0, 1200, 900)
  for (let line = 0; line < 46; line++) {
    pen.strokeStyle = line % 9 === 0 ? 'rgba(40,20,5,.45)' : 'rgba(60,30,10,.12)'
    pen.lineWidth = line % 9 === 0 ? 5 : 2
    pen.beginPath()
    pen.moveTo(0, line * 20)
    pen.bezierCurveTo(400, line * 20 + ((line * 37) % 17) - 8, 800, line * 20 - ((line * 23) % 13), 1200, line * 20 + 4)
    pen.stroke()
  }
}

function drawSlip(pen: CanvasRenderingContext2D): void {
  pen.shadowColor = 'rgba(0,0,0,.4)'
  pen.shadowBlur = 30
  pen.shadowOffsetY = 12
  pen.fillStyle = '#fbfaf6'
  pen.fillRect(-430, -290, 860, 580)
  pen.shadowColor = 'transparent'
  pen.fillStyle = '#2c53a4'
  pen.fillRect(-390, -250, 150, 60)
  pen.fillStyle = '#2a3145'
  pen.font = '600 34px sans-serif'
  pen.fillText('Boleto · R$ 384,90', -215, -208)
  pen.font = '26px sans-serif'
  pen.fillStyle = '#5a6272'
  pen.fillText('Distribuidora São José Ltda.', -390, -135)
  pen.fillText('Pagadora: Lúcia Ferreira', -390, -90)
  pen.fillText('Vencimento: 12/11', -390, -45)
  pen.strokeStyle = '#b9b4a8'
  pen.setLineDash([10, 8])
  pen.lineWidth = 3
  pen.beginPath()
  pen.moveTo(-390, 0)
  pen.lineTo(390, 0)
  pen.stroke()
  pen.setLineDash([])
  pen.fillStyle = '#f6e3b4'
  pen.fillRect(160, -160, 230, 110)
  pen.fillStyle = '#c9c4b8'
  for (let line = 0; line < 3; line++) pen.fillRect(-390, 32 + line * 30, 500 - line * 90, 13)
  pen.fillStyle = '#1c2333'
  let at = -390
  for (let bar = 0; at < 385; bar++) {
    const width = 3 + ((bar * 7919) % 4) * 3
    pen.fillRect(at, 150, width, 110)
    at += width + 4 + ((bar * 104729) % 3) * 3
  }
}

export async function drawSticker(): Promise<Blob> {
  const [canvas, pen] = createCanvas(512, 512)
  pen.lineJoin = 'round'
  for (const [colour, width] of [
    ['#ffffff', 44],
    ['#24468d', 14],
  ] as const) {
    drawBell(pen)
    pen.strokeStyle = colour
    pen.lineWidth = width
    pen.stroke()
  }
  drawBell(pen)
  pen.fillStyle = '#f0b23a'
  pen.fill()
  pen.fillStyle = '#1c2333'
  for (const x of [206, 306]) {
    pen.beginPath()
    pen.arc(x, 268, 15, 0, Math.PI * 2)
    pen.fill()
  }
  pen.strokeStyle = '#1c2333'
  pen.lineWidth = 12
  pen.lineCap = 'round'
  pen.beginPath()
  pen.arc(256, 282, 46, 0.35, Math.PI - 0.35)
  pen.stroke()
  return toBlob(canvas, 'image/webp')
}

function drawBell(pen: CanvasRenderingContext2D): void {
  pen.beginPath()
  pen.arc(256, 330, 170, Math.PI, 0)
  pen.lineTo(446, 330)
  pen.lineTo(446, 390)
  pen.lineTo(66, 390)
  pen.lineTo(66, 330)
  pen.closePath()
  pen.moveTo(290, 122)
  pen.arc(256, 122, 34, 0, Math.PI * 2)
}

/** A one-page PDF, written by hand. */
export function createOrderPdf(): Blob {
  const lines = [
    'Pedido 4471',
    '',
    '20 x Farinha especial 25 kg',
    ' 5 x Fermento 500 g',
    '',
    'Entrega: amanha cedo',
    'Padaria Estrela',
  ]
  const text = lines.map((line, index) => `1 0 0 1 72 ${740 - index * 26} Tm (${line}) Tj`).join('\n')
  const content = `BT /F1 16 Tf\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return new Blob([file], { type: 'application/pdf' })
}

function createCanvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('Este navegador não desenha')
  return [canvas, pen]
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error(`Este navegador não grava ${type}`))), type, 0.86),
  )
}
