// Least squares of additive effects, as `jurat.stats.linear_model` has it: systems, and judges
// and blocks (documents or sentences) where these are given. Codes count from 0.

const RANK = 1e-9; // what is left of a column, relative to its size, when it is a sum of others

function highest(codes) {
  let most = -1;
  for (let i = 0; i < codes.length; i++) if (codes[i] > most) most = codes[i];
  return most;
}

// Eigenvalues and vectors of a symmetric matrix, by Jacobi's rotations; vectors are columns.
function eigen(matrix, size) {
  const a = Float64Array.from(matrix);
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i++) v[i * size + i] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    let whole = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        whole += a[i * size + j] ** 2;
        if (i !== j) off += a[i * size + j] ** 2;
      }
    }
    if (off <= 1e-29 * whole) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, size, p, q);
  }
  return { values: Float64Array.from({ length: size }, (_, i) => a[i * size + i]), vectors: v };
}

function rotate(a, v, size, p, q) {
  const apq = a[p * size + q];
  if (apq === 0) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const kp = a[k * size + p];
    const kq = a[k * size + q];
    a[k * size + p] = c * kp - s * kq;
    a[k * size + q] = s * kp + c * kq;
  }
  for (let k = 0; k < size; k++) {
    const pk = a[p * size + k];
    const qk = a[q * size + k];
    a[p * size + k] = c * pk - s * qk;
    a[q * size + k] = s * pk + c * qk;
    const vp = v[k * size + p];
    const vq = v[k * size + q];
    v[k * size + p] = c * vp - s * vq;
    v[k * size + q] = s * vp + c * vq;
  }
}

class LinearModel {
  constructor({ values, system, judge = null, block = null }) {
    Object.assign(this, { values, system, judge, block });
    this.systems = highest(system) + 1;
    this.judges = judge ? highest(judge) + 1 : 0;
    this.width = this.systems + this.judges;
    this.blocks = block ? highest(block) + 1 : 0;
    this.blockWeights = new Float64Array(this.blocks);
    if (block) for (const code of block) this.blockWeights[code]++;
    // how many judgments of each block are in each column
    this.crossed = block ? this.byColumn(block, this.blocks, null) : new Float64Array(0);
    this.invert();
  }

  // Amounts (1 where there are none) summed by row and by column: systems, then judges.
  byColumn(rows, height, amounts) {
    const made = new Float64Array(height * this.width);
    for (let i = 0; i < rows.length; i++) {
      const amount = amounts ? amounts[i] : 1;
      made[rows[i] * this.width + this.system[i]] += amount;
      if (this.judge) made[rows[i] * this.width + this.systems + this.judge[i]] += amount;
    }
    return made;
  }

  // The normal matrix without blocks (Schur complement), its pseudo-inverse and a root of that.
  invert() {
    const { width, systems } = this;
    const whole = new Float64Array(width * width);
    whole.set(this.byColumn(this.system, systems, null));
    if (this.judge) whole.set(this.byColumn(this.judge, this.judges, null), systems * width);
    for (let b = 0; b < this.blocks; b++) {
      const row = this.crossed.subarray(b * width, (b + 1) * width);
      const there = [];
      row.forEach((count, k) => count && there.push(k));
      for (const i of there) for (const j of there) whole[i * width + j] -= (row[i] * row[j]) / this.blockWeights[b];
    }
    this.reduced = whole;
    const { values, vectors } = eigen(whole, width);
    const most = values.reduce((m, value) => Math.max(m, Math.abs(value)), 0);
    this.root = new Float64Array(width * width);
    for (let k = 0; k < width; k++) {
      const size = values[k] > RANK * most ? 1 / Math.sqrt(values[k]) : 0;
      for (let i = 0; i < width; i++) this.root[i * width + k] = vectors[i * width + k] * size;
    }
  }

  // The pseudo-inverse, which is root times its transpose, times a vector.
  inverseTimes(vector) {
    const { width, root } = this;
    const half = new Float64Array(width);
    for (let i = 0; i < width; i++) for (let k = 0; k < width; k++) half[k] += root[i * width + k] * vector[i];
    const made = new Float64Array(width);
    for (let i = 0; i < width; i++) for (let k = 0; k < width; k++) made[i] += root[i * width + k] * half[k];
    return made;
  }

  solve(ofColumns, ofBlocks) {
    const { width, crossed, blockWeights } = this;
    const right = Float64Array.from(ofColumns);
    for (let b = 0; b < this.blocks; b++) {
      const share = ofBlocks[b] / blockWeights[b];
      for (let k = 0; k < width; k++) right[k] -= crossed[b * width + k] * share;
    }
    const columns = this.inverseTimes(right);
    const blocks = new Float64Array(this.blocks);
    for (let b = 0; b < this.blocks; b++) {
      let inside = 0;
      for (let k = 0; k < width; k++) inside += crossed[b * width + k] * columns[k];
      blocks[b] = (ofBlocks[b] - inside) / blockWeights[b];
    }
    return { columns, blocks };
  }

  fitted({ columns, blocks }) {
    const made = new Float64Array(this.values.length);
    for (let i = 0; i < made.length; i++) {
      made[i] = columns[this.system[i]];
      if (this.judge) made[i] += columns[this.systems + this.judge[i]];
      if (this.block) made[i] += blocks[this.block[i]];
    }
    return made;
  }

  get residuals() {
    if (!this.left) {
      const totals = new Float64Array(this.width);
      const ofBlocks = new Float64Array(this.blocks);
      this.values.forEach((value, i) => {
        totals[this.system[i]] += value;
        if (this.judge) totals[this.systems + this.judge[i]] += value;
        if (this.block) ofBlocks[this.block[i]] += value;
      });
      const fit = this.fitted(this.solve(totals, ofBlocks));
      this.left = this.values.map((value, i) => value - fit[i]);
    }
    return this.left;
  }

  // The coefficients of a combination of effects; null where the data do not tell it.
  contrast(ofColumns, ofBlocks = new Float64Array(this.blocks)) {
    const wanted = new Float64Array(this.width);
    wanted.set(ofColumns);
    const solved = this.solve(wanted, ofBlocks);
    const { width, crossed } = this;
    const got = new Float64Array(width);
    for (let i = 0; i < width; i++) {
      for (let k = 0; k < width; k++) got[i] += this.reduced[i * width + k] * solved.columns[k];
    }
    for (let b = 0; b < this.blocks; b++) {
      let inside = 0;
      for (let k = 0; k < width; k++) inside += crossed[b * width + k] * solved.columns[k];
      const part = solved.blocks[b] + inside / this.blockWeights[b];
      for (let k = 0; k < width; k++) got[k] += crossed[b * width + k] * part;
    }
    const told = got.every((value, k) => Math.abs(value - wanted[k]) <= 1e-6 + 1e-5 * Math.abs(wanted[k]));
    return told ? { model: this, residuals: this.residuals, coefficients: this.fitted(solved) } : null;
  }
}
