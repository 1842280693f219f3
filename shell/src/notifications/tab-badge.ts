// How many wait, in the tab's title and drawn over its icon, and on the icon of the installed app.

let plainIcon: string | undefined

/** Nothing is drawn for 0: the icon of the page comes back. */
export function markTab(count: number, product: string): void {
  document.title = count > 0 ? `(${formatBadge(count)}) ${product}` : product
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) {
    plainIcon ??= link.href
    link.href = count > 0 ? drawBadge(count) : plainIcon
  }
  if (!('setAppBadge' in navigator)) return
  // Refused where the app is not installed; then there is no icon to mark.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
}

function formatBadge(count: number): string {
  return count > 99 ? '99+' : String(count)
}

/** The bell of the counter with a brass pill, 64 by 64. */
function drawBadge(count: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 64
  const draw = canvas.getContext('2d')
  if (!draw) return plainIcon ?? ''
  draw.scale(2, 2)
  const fill = (color: string, path: string) => {
    draw.fillStyle = color
    draw.fill(new Path2D(path))
  }
  draw.fillStyle = '#2C53A4'
  draw.beginPath()
  draw.roundRect(0, 0, 32, 32, 9)
  draw.fill()
  fill('#fff', 'M7.5 19.5a8.5 8.5 0 0 1 17 0z')
  fill('#fff', 'M6.5 21.5h19a1.5 1.5 0 0 1 0 3H14l-4.2 3.3c-.4.3-.9 0-.9-.5v-2.8H6.5a1.5 1.5 0 0 1 0-3z')
  const words = count > 99 ? '99' : String(count)
  const width = words.length > 1 ? 21 : 17
  draw.fillStyle = '#F0B23A'
  draw.beginPath()
  draw.roundRect(32 - width, 0, width, 17, 8.5)
  draw.fill()
  draw.fillStyle = '#3A2600'
  draw.font = '700 14px sans-serif'
  draw.textAlign = 'center'
  draw.textBaseline = 'middle'
  draw.fillText(words, 32 - width / 2, 9.2)
  return canvas.toDataURL()
}
