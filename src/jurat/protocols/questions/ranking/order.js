// An order with ties, as plain data: groups from best to worst, each a list of slots.

export const single = (slots) => slots.map((slot) => [slot]);

export function fromPlaces(places) {
  const groups = [...new Set(places)].sort((a, b) => a - b);
  return groups.map((place) => places.flatMap((one, n) => (one === place ? [n + 1] : [])));
}

export const toPlaces = (order) =>
  order
    .flatMap((group, n) => group.map((slot) => [slot, n + 1]))
    .sort(([a], [b]) => a - b)
    .map(([, place]) => place);

const without = (order, slot) => order.map((group) => group.filter((one) => one !== slot));
const tidy = (order) => order.filter((group) => group.length);
export const groupOf = (order, slot) => order.findIndex((group) => group.includes(slot));

// To a place of its own, counted from 0.
export function put(order, slot, place) {
  const rest = tidy(without(order, slot));
  return [...rest.slice(0, place), [slot], ...rest.slice(place)];
}

// To a place of its own before another card; after all of them without one.
export function before(order, slot, other) {
  if (other === slot) return order;
  const rest = tidy(without(order, slot));
  return put(order, slot, other === null ? rest.length : groupOf(rest, other));
}

// To the place of another card.
export function tie(order, slot, other) {
  if (other === slot) return order;
  const at = groupOf(order, other);
  return tidy(without(order, slot).map((group, n) => (n === at ? [...group, slot] : group)));
}

// One step up or down: out of a tie first, then past the neighbour.
export function step(order, slot, way) {
  const at = groupOf(order, slot);
  const tied = order[at].length > 1;
  const parted = without(order, slot);
  const place = at + (way > 0 ? (tied ? 1 : 2) : tied ? 0 : -1);
  const bounded = Math.max(0, Math.min(place, parted.length));
  return tidy([...parted.slice(0, bounded), [slot], ...parted.slice(bounded)]);
}

// Tied with the one above (the first with the one below), or parted again.
export function toggleTie(order, slot) {
  const at = groupOf(order, slot);
  if (order[at].length > 1) return step(order, slot, 1);
  const other = order[at - 1] ?? order[at + 1];
  return other ? tie(order, slot, other[0]) : order;
}
