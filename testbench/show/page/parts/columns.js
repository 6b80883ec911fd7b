// Numbers come as columns of bytes in base64 (testbench/show/picture/packed_table.h).
function unpackColumn(text, rows, is_of_differences) {
  const bytes = atob(text);
  const numbers = new Float64Array(rows);
  let at = 0, last = 0;
  for (let row = 0; row < rows; ++row) {
    let number = 0, unit = 1, byte = 128;
    while (byte > 127) {
      byte = bytes.charCodeAt(at++);
      number += (byte & 127) * unit;
      unit *= 128;
    }
    number = number % 2 === 1 ? -(number + 1) / 2 : number / 2;
    if (is_of_differences) number = last += number;
    numbers[row] = number;
  }
  return numbers;
}

/// A table with a typed array for each column.
function unpack(table) {
  const columns = {rows: table.rows};
  for (const [name, text] of Object.entries(table)) {
    if (name === "rows") continue;
    columns[name.replace("+", "")] = unpackColumn(text, table.rows, name.endsWith("+"));
  }
  return columns;
}

if (data.trial) {
  for (const name of ["stretches", "uses", "waits", "branches", "sent", "received", "messages",
                      "message_stretches", "port_uses"]) {
    data.trial[name] = unpack(data.trial[name]);
  }
}

/// The rows of the table `name` that belong to the stretches `first` .. `last`.
function rowsOf(name, first, last) {
  const ends = data.trial.stretches[name];
  return [first > 0 ? ends[first - 1] : 0, ends[last]];
}
